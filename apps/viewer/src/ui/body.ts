// What is known of the body that was picked: a card on the stage.
import type { Player } from "../player";
import type { Recording } from "../recording";
import type { Contact } from "../types";
import { turnOf } from "./catalog";
import { smallButton } from "./controls";
import { el, setText } from "./dom";
import { count, fixed, number, quantity } from "./format";
import { bodyName, kindName, pushOf } from "./words";

const CONTACTS_SHOWN = 8;
const STILL = 1e-6; // [m/s, rad/s]: differences of poses that are rounded tell no slower motion

export class BodyCard {
  readonly element: HTMLElement;
  body = -1;
  private readonly title = el("h2");
  private readonly rows = { position: el("dd"), speed: el("dd"), turning: el("dd"), force: el("dd", { title: "Sum of all contact forces on this body" }), contacts: el("dd") };
  private readonly list = el("ul");
  private readonly now = new Float64Array(7);
  private readonly before = new Float64Array(7);
  private shownFrame = -1;
  private listedAt = 0;

  constructor(private readonly recording: Recording, private readonly player: Player, private readonly highlight: (contact: number) => void,
              onFollow: (body: number) => void, onClose: () => void) {
    this.element = el("section", { class: "body-card", hidden: true, "aria-label": "Picked body" },
      el("header", {}, this.title, smallButton("follow", "Follow this body", () => onFollow(this.body)),
         smallButton("close", "Close", onClose)),
      el("dl", {}, el("dt", {}, "position"), this.rows.position, el("dt", {}, "speed"), this.rows.speed,
         el("dt", {}, "turning"), this.rows.turning, el("dt", {}, "force on it"), this.rows.force, el("dt", {}, "touches"), this.rows.contacts),
      this.list);
  }

  show(body: number): void {
    this.body = body;
    this.shownFrame = -1;
    this.listedAt = 0;
    this.element.hidden = body < 0;
    if (body < 0) return;
    this.title.textContent = bodyName(this.recording, body);
    this.update();
  }

  update(): void {
    const frame = this.player.frame;
    if (this.body < 0 || frame === this.shownFrame) return;
    this.shownFrame = frame;
    this.recording.pose(frame, this.body, this.now);
    setText(this.rows.position, `${[0, 1, 2].map((i) => fixed(this.now[i], 3)).join(", ")} m`);
    this.updateSpeeds(frame);
    this.updateContacts(frame);
  }

  /** By differences from the frame before. */
  private updateSpeeds(frame: number): void {
    const { times } = this.recording;
    const dt = frame > 0 ? times[frame] - times[frame - 1] : 0;
    if (!(dt > 0)) {
      for (const row of [this.rows.speed, this.rows.turning]) setText(row, "–");
      return;
    }
    this.recording.pose(frame - 1, this.body, this.before);
    const [a, b] = [this.now, this.before];
    const speed = Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) / dt, turning = turnOf(b, a) / dt;
    setText(this.rows.speed, speed < STILL ? "< 1 µm/s" : quantity(speed, "m/s"));
    setText(this.rows.turning, turning < STILL ? "< 1e-6 rad/s" : `${number(turning)} rad/s`);
  }

  private updateContacts(frame: number): void {
    const now = performance.now();
    if (this.player.isPlaying && now - this.listedAt < 200) { this.shownFrame = -1; return; }
    this.listedAt = now;
    const mine: { contact: Contact; index: number }[] = [];
    this.recording.contacts(frame).forEach((contact, index) => {
      if (contact.a === this.body || contact.b === this.body) mine.push({ contact, index });
    });
    const sum = [0, 1, 2].map((k) => mine.reduce((s, { contact }) => s + (contact.a === this.body ? 1 : -1) * contact.impulse[k], 0)), { dt } = this.recording;
    setText(this.rows.force, quantity(Math.hypot(...sum) / (dt > 0 ? dt : 1), dt > 0 ? "N" : "N s"));
    setText(this.rows.contacts, mine.length === 0 ? "nothing" : count(mine.length, "contact"));
    mine.sort((f, g) => Math.hypot(...g.contact.impulse) - Math.hypot(...f.contact.impulse));
    this.list.replaceChildren(...mine.slice(0, CONTACTS_SHOWN).map(({ contact, index }) => this.contactRow(contact, index)));
    if (mine.length > CONTACTS_SHOWN) this.list.append(el("li", { class: "fine" }, `and ${mine.length - CONTACTS_SHOWN} more`));
  }

  private contactRow(contact: Contact, index: number): HTMLElement {
    const push = pushOf(contact, this.recording.dt);
    const other = contact.a === this.body ? contact.b : contact.a;
    return el("li", { onpointerenter: () => this.highlight(index), onpointerleave: () => this.highlight(-1) },
      el("span", {}, bodyName(this.recording, other)), el("span", { class: `kind kind-${contact.kind}` }, kindName(contact.kind)),
      el("span", { class: "figure", title: "normal and friction" },
         `${quantity(push.normal, push.unit)}, ${quantity(push.friction, push.unit)}`));
  }
}
