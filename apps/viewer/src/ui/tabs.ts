// Tabs: one of several contents is shown.
import { el } from "./dom";

export interface Tab { id: string; label: string; content: HTMLElement }

let made = 0; // makes ids unique

export function tabs(label: string, list: Tab[]): HTMLElement {
  const prefix = `tabs${++made}`;
  const buttons = list.map((tab, i) => el("button", { type: "button", role: "tab", id: `${prefix}-${tab.id}`, "data-tab": tab.id,
    "aria-controls": `${prefix}-${tab.id}-content`, onclick: () => select(i) }, tab.label));
  const contents = list.map((tab) => el("div", { role: "tabpanel", id: `${prefix}-${tab.id}-content`,
    "aria-labelledby": `${prefix}-${tab.id}` }, tab.content));
  const select = (chosen: number, isFocused = false) => {
    buttons.forEach((button, i) => {
      button.setAttribute("aria-selected", String(i === chosen));
      button.tabIndex = i === chosen ? 0 : -1;
      contents[i].hidden = i !== chosen;
    });
    if (isFocused) buttons[chosen].focus();
  };
  const bar = el("div", { class: "tabs", role: "tablist", "aria-label": label, onkeydown: (event: KeyboardEvent) => {
    const direction = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (direction === 0) return;
    event.stopPropagation(); // the arrows step frames elsewhere
    event.preventDefault();
    select((buttons.indexOf(event.target as HTMLButtonElement) + direction + list.length) % list.length, true);
  } }, ...buttons);
  select(0);
  return el("div", {}, bar, ...contents);
}
