// Sentences to the reader: warnings above the stage, the page without a recording, the page of what cannot be shown.
import { smallButton } from "./controls";
import { el, type Child } from "./dom";
import { mark } from "./icons";

export function banner(text: string, isBad = false): HTMLElement {
  const element = el("div", { class: isBad ? "banner bad" : "banner", role: isBad ? "alert" : "status" }, el("span", {}, text),
    smallButton("close", "Dismiss", () => element.remove()));
  return element;
}

/** Where a recording may be dropped or chosen. */
function dropZone(choose: () => void): HTMLElement {
  return el("div", { class: "drop-zone" }, el("p", {}, "Drop a recording (", el("code", {}, ".crn"), "), a scene (", el("code", {}, ".json"), ") or a robot (URDF, MJCF) with its meshes here"),
    el("button", { type: "button", class: "primary", onclick: choose }, "Choose a file…"));
}

export function emptyPage(choose: () => void): HTMLElement {
  return el("main", { class: "message-page" }, mark(), el("h1", {}, "Cairn viewer"), dropZone(choose),
    el("p", { class: "fine" }, "Make one with ", el("code", {}, "cairn sim gallery:stack-10 -o stack.crn"),
       ". The file stays on this machine."));
}

/** What could not be shown, and what to do about it. */
export function errorPage(message: string, choose: () => void): HTMLElement {
  return el("main", { class: "message-page" }, mark(), el("h1", {}, "This cannot be shown"),
    el("p", { class: "error", role: "alert" }, message), el("p", {}, ...remedy(message)), dropZone(choose));
}

function remedy(message: string): Child[] {
  const command = (text: string) => el("code", {}, text);
  if (/version/i.test(message)) {
    return ["Make the page again with the program that wrote the recording: ", command("cairn view FILE.crn -o page.html"), "."];
  }
  if (/webgl|3d/i.test(message)) {
    return ["Switch on hardware acceleration in the browser's settings, or open the page in another browser."];
  }
  return ["Recordings are the files that ", command("cairn sim SCENE -o FILE.crn"),
          " writes. If this should be one, it was changed on its way: record or copy it again."];
}
