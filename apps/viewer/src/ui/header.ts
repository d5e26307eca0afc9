// The head of the page: title, what it is about, and the buttons for panels and settings.
import type { PageData } from "../types";
import { el, setPressed } from "./dom";
import { icon, mark, type IconName } from "./icons";

export interface HeaderActions { plots(): void; solver(): void; display(): void; open(): void; theme(): void; help(): void }

export type PanelName = "plots" | "solver" | "display";

export class Header {
  readonly element: HTMLElement;
  private readonly panelButtons: Record<PanelName, HTMLButtonElement>;
  private readonly themeButton: HTMLButtonElement;

  constructor(title: string, page: PageData, actions: HeaderActions) {
    const tool = (name: IconName, label: string, key: string, action: () => void) => el("button",
      { type: "button", class: "tool", title: `${label} (${key})`, "aria-pressed": "false", onclick: action }, icon(name), el("span", {}, label));
    const small = (name: IconName, label: string, action: () => void) =>
      el("button", { type: "button", class: "icon", "aria-label": label, title: label, onclick: action }, icon(name));
    this.panelButtons = { plots: tool("plots", "Plots", "P", actions.plots), solver: tool("solver", "Solver", "S", actions.solver),
                          display: tool("display", "Display", "D", actions.display) };
    this.themeButton = small("moon", "Light or dark (L)", actions.theme);
    this.element = el("header", { class: "head" },
      page.home !== "" ? el("a", { class: "brand", href: page.home, title: "All scenes", "aria-label": "All scenes" }, mark(), el("span", {}, "All scenes"))
                       : el("span", { class: "brand" }, mark(), el("span", {}, "Cairn")),
      el("div", { class: "titles" }, el("h1", {}, title), page.about !== "" && page.cards.length === 0 && aboutButton(page.about)),
      el("nav", { class: "tools", "aria-label": "Panels" }, this.panelButtons.plots, this.panelButtons.solver, this.panelButtons.display),
      el("div", { class: "buttons" }, small("open", "Open a recording", actions.open), this.themeButton, small("help", "Keys and help (?)", actions.help)));
  }

  showPanel(name: PanelName, isOpen: boolean): void { setPressed(this.panelButtons[name], isOpen); }
  showTheme(isDark: boolean): void { this.themeButton.replaceChildren(icon(isDark ? "sun" : "moon")); }
}

/** One line, more on request. */
function aboutButton(text: string): HTMLElement {
  const button = el("button", { type: "button", class: "about", "aria-expanded": "false", title: text, onclick: () => {
    button.setAttribute("aria-expanded", String(button.getAttribute("aria-expanded") !== "true"));
  } }, text);
  return button;
}
