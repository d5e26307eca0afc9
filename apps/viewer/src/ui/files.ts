// Opening files: dropped on the page or chosen.
import { el } from "./dom";

type Open = (file: File) => void;

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
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    open(file);
  });
}

/** An input that lets a file be chosen; `choose` opens it. */
export function fileChooser(open: Open): { element: HTMLInputElement; choose: () => void } {
  const element = el("input", { type: "file", accept: ".crn,.json", hidden: true, "aria-label": "Recording or scene" });
  element.addEventListener("change", () => {
    const file = element.files?.[0];
    element.value = ""; // so that the same file may be chosen again
    if (file) open(file);
  });
  return { element, choose: () => element.click() };
}
