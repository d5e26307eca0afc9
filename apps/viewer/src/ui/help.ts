// The overlay that tells the keys.
import { smallButton } from "./controls";
import { el } from "./dom";
import type { ShortcutGroup } from "./keys";

export class Help {
  readonly element: HTMLDialogElement;

  constructor(groups: ShortcutGroup[], about: string) {
    const close = smallButton("close", "Close", () => this.element.close());
    const closeOutside = (event: MouseEvent) => { if (event.target === this.element) this.element.close(); };
    this.element = el("dialog", { class: "help", "aria-label": "Help", onclick: closeOutside },
      el("div", { class: "help-inner" }, el("header", {}, el("h2", {}, "Keys"), close), about !== "" && el("p", {}, about),
         el("div", { class: "help-groups" }, ...groups.map(groupTable)),
         el("p", { class: "fine" }, "On the stage: drag to turn, right drag or two fingers to move, wheel or pinch to zoom, ",
            "click a body to read it and the forces on it. Drop a recording, a scene, or a robot (URDF, MJCF) with its folder of meshes anywhere to open it.")));
  }

  toggle(): void { if (this.element.open) this.element.close(); else this.element.showModal(); }
}

function groupTable(group: ShortcutGroup): HTMLElement {
  const keys = (label: string) => el("dt", {}, ...label.split(" ").map((key) => el("kbd", {}, key)));
  return el("section", {}, el("h3", {}, group.title),
            el("dl", {}, ...group.list.flatMap(({ label, help }) => [keys(label), el("dd", {}, help)])));
}
