// The index page's grid of scenes.
import type { Card } from "../types";
import { el } from "./dom";

export function cardGrid(about: string, cards: Card[]): HTMLElement {
  return el("main", { class: "index", "aria-label": "Scenes" }, about !== "" && el("p", { class: "intro" }, about),
            el("div", { class: "cards" }, ...cards.map(cardOf)));
}

function cardOf(card: Card): HTMLElement {
  const picture = card.picture !== "" ? el("img", { src: card.picture, alt: "", loading: "lazy" }) : el("div", { class: "no-picture" });
  const title = card.address !== "" ? el("a", { href: card.address }, card.title) : card.title;
  return el("article", { class: "card" }, el("div", { class: "picture" }, picture),
    el("div", { class: "card-text" },
       el("h2", {}, title, card.address === "" && el("span", { class: "chip quiet" }, "shown above")), el("p", {}, card.about),
       card.figures.length > 0 && el("table", {}, el("tbody", {}, ...card.figures.map(([label, value]) =>
         el("tr", {}, el("th", { scope: "row" }, label), el("td", {}, value)))))));
}
