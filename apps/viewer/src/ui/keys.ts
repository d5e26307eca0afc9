// Keys and what they do.

export interface Shortcut {
  keys: string[]; // as KeyboardEvent.key tells them, letters small; "Shift+" before those that need it
  label: string; // as the help shows them
  help: string;
  action: () => void;
}

export interface ShortcutGroup { title: string; list: Shortcut[] }

/** Listen for the shortcuts until the answer is called. */
export function listenForKeys(groups: ShortcutGroup[]): () => void {
  const actions = new Map(groups.flatMap((group) => group.list).flatMap((shortcut) => shortcut.keys.map((key) => [key, shortcut.action])));
  const listener = (event: KeyboardEvent) => {
    const action = actions.get(nameOf(event));
    if (!action || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isForTarget(event)) return;
    event.preventDefault();
    action();
  };
  window.addEventListener("keydown", listener);
  return () => window.removeEventListener("keydown", listener);
}

function nameOf(event: KeyboardEvent): string {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  return event.shiftKey && event.key.startsWith("Arrow") ? `Shift+${key}` : key;
}

/** Whether the element that has the focus needs this key itself. */
function isForTarget(event: KeyboardEvent): boolean {
  const target = event.target;
  if (!(target instanceof HTMLElement)) return false;
  if (document.querySelector("dialog[open]") && event.key !== "?") return true;
  if (target.matches("select, textarea, input:not([type=range], [type=checkbox])")) return true;
  if (target.matches("button, a, input[type=checkbox]")) return event.key === " " || event.key === "Enter";
  if (target.matches("input[type=range]") && !target.closest(".scrub")) return /^(Arrow.*|Home|End)$/.test(event.key);
  return false;
}
