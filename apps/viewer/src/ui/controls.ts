// Buttons that show an icon and say a word.
import { el } from "./dom";
import { icon, type IconName } from "./icons";

export function iconButton(name: IconName, label: string, action: () => void, more: Record<string, string> = {}): HTMLButtonElement {
  return el("button", { type: "button", class: "icon", "aria-label": label, title: label, onclick: action, ...more }, icon(name));
}

export function smallButton(name: IconName, label: string, action: () => void): HTMLButtonElement {
  return iconButton(name, label, action, { class: "icon small" });
}
