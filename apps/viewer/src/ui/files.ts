// Opening files: dropped on the page or chosen, alone or several that belong together, as a robot and its meshes.
import { el } from "./dom";

/** Files by their path in what was dropped. */
export type FileSet = Map<string, File>;
type Open = (files: FileSet) => void;

const FILES_MOST = 3000; // of a folder that is dropped

/** All files below an entry of a drop. */
async function gather(entry: FileSystemEntry, into: FileSet): Promise<void> {
  if (into.size >= FILES_MOST) return;
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    into.set(entry.fullPath.replace(/^\//, ""), file);
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (entries.length === 0) return;
    for (const inner of entries) await gather(inner, into);
  }
}

async function filesOf(transfer: DataTransfer): Promise<FileSet> {
  const found: FileSet = new Map(), entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.() ?? null), files = [...transfer.files]; // now: they are gone later
  for (const entry of entries) if (entry) await gather(entry, found);
  if (found.size === 0) for (const file of files) found.set(file.name, file);
  return found;
}

/** Let files be dropped anywhere on the page. */
export function listenForDrops(open: Open): void {
  const root = document.documentElement;
  let depth = 0; // of elements entered and not left
  const hasFile = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
  const mark = (change: number) => {
    depth = Math.max(0, depth + change);
    root.classList.toggle("is-dropping", depth > 0);
  };
  window.addEventListener("dragenter", (event) => { if (hasFile(event)) mark(1); });
  window.addEventListener("dragleave", (event) => { if (hasFile(event)) mark(-1); });
  window.addEventListener("dragover", (event) => { if (hasFile(event)) event.preventDefault(); });
  window.addEventListener("drop", (event) => {
    mark(-depth);
    if (!event.dataTransfer || !hasFile(event)) return;
    event.preventDefault();
    void filesOf(event.dataTransfer).then((files) => { if (files.size > 0) open(files); });
  });
}

/** An input that lets files be chosen; `choose` opens it. */
export function fileChooser(open: Open, accept: string, label: string): { element: HTMLInputElement; choose: () => void } {
  const element = el("input", { type: "file", accept, multiple: true, hidden: true, "aria-label": label });
  element.addEventListener("change", () => {
    const files: FileSet = new Map([...element.files ?? []].map((file) => [file.name, file]));
    element.value = ""; // so that the same file may be chosen again
    if (files.size > 0) open(files);
  });
  return { element, choose: () => element.click() };
}
