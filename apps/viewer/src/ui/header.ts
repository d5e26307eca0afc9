// The head of the page: title, what it is about, and the buttons for panels and settings.
import type { PageData } from "../types";
import { iconButton } from "./controls";
import { el, setPressed } from "./dom";
import { icon, mark, type IconName } from "./icons";

export interface HeaderActions { plots(): void; solver(): void; display(): void; live: (() => void) | null /* null: the page has no solver */; open(): void; theme(): void; help(): void }

export type PanelName = "live" | "plots" | "solver" | "display";

export class Header {
  readonly element: HTMLElement;
  private readonly panelButtons: Record<PanelName, HTMLButtonElement>;
  private readonly themeButton: HTMLButtonElement;

  constructor(title: string, page: PageData, actions: HeaderActions) {
    this.panelButtons = { live: panelButton("live", "Live", "E", actions.live ?? (() => {})), plots: panelButton("plots", "Plots", "P", actions.plots),
                          solver: panelButton("solver", "Solver", "S", actions.solver),
                          display: panelButton("display", "Display", "D", actions.display) };
    this.panelButtons.live.classList.add("live");
    this.panelButtons.live.title = "Live: the simulation itself, in this page (E)";
    this.themeButton = iconButton("moon", "Light or dark (L)", actions.theme);
    this.element = el("header", { class: "head" },
      brand(page.home),
      el("div", { class: "titles" }, el("h1", {}, title), page.about !== "" && page.cards.length === 0 && aboutButton(page.about)),
      el("nav", { class: "tools", "aria-label": "Panels" }, actions.live !== null && this.panelButtons.live, this.panelButtons.plots, this.panelButtons.solver, this.panelButtons.display),
      el("div", { class: "buttons" }, iconButton("open", "Open a recording", actions.open), this.themeButton,
         iconButton("help", "Keys and help (?)", actions.help)));
  }

  get live(): HTMLButtonElement { return this.panelButtons.live; }

  showPanel(name: PanelName, isOpen: boolean): void { setPressed(this.panelButtons[name], isOpen); }
  showTheme(isDark: boolean): void { this.themeButton.replaceChildren(icon(isDark ? "sun" : "moon")); }
}

function panelButton(name: IconName, label: string, key: string, action: () => void): HTMLButtonElement {
  return el("button", { type: "button", class: "tool", title: `${label} (${key})`, "aria-pressed": "false", onclick: action },
            icon(name), el("span", {}, label));
}

/** The name of the program, or the way back to all scenes. */
function brand(home: string): HTMLElement {
  if (home === "") return el("span", { class: "brand" }, mark(), el("span", {}, "Cairn"));
  return el("a", { class: "brand", href: home, title: "All scenes", "aria-label": "All scenes" }, mark(), el("span", {}, "All scenes"));
}

/** One line, more on request. */
function aboutButton(text: string): HTMLElement {
  const button = el("button", { type: "button", class: "about", "aria-expanded": "false", title: text, onclick: () => {
    button.setAttribute("aria-expanded", String(button.getAttribute("aria-expanded") !== "true"));
  } }, text);
  return button;
}
