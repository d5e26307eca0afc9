// The overlay that tells the keys.
import { el } from "./dom";
import { icon } from "./icons";
import type { ShortcutGroup } from "./keys";

export class Help {
  readonly element: HTMLDialogElement;

  constructor(groups: ShortcutGroup[], about: string) {
    const close = el("button", { type: "button", class: "icon small", "aria-label": "Close", onclick: () => this.element.close() }, icon("close"));
    this.element = el("dialog", { class: "help", "aria-label": "Help", onclick: (event: MouseEvent) => { if (event.target === this.element) this.element.close(); } },
      el("div", { class: "help-inner" }, el("header", {}, el("h2", {}, "Keys"), close), about !== "" && el("p", {}, about),
         el("div", { class: "help-groups" }, ...groups.map(groupTable)),
         el("p", { class: "fine" }, "On the stage: drag to turn, right drag or two fingers to move, wheel or pinch to zoom, click a body to read it. ",
            "Drop a .crn file anywhere to open it.")));
  }

  toggle(): void { if (this.element.open) this.element.close(); else this.element.showModal(); }
}

function groupTable(group: ShortcutGroup): HTMLElement {
  return el("section", {}, el("h3", {}, group.title),
            el("dl", {}, ...group.list.flatMap(({ label, help }) => [el("dt", {}, ...label.split(" ").map((key) => el("kbd", {}, key))), el("dd", {}, help)])));
}
