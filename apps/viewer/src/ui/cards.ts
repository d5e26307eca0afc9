// The index page's grid of scenes.
import type { Card } from "../types";
import { el } from "./dom";

export function cardGrid(cards: Card[]): HTMLElement {
  return el("main", { class: "cards", "aria-label": "Scenes" }, ...cards.map(cardOf));
}

function cardOf(card: Card): HTMLElement {
  const picture = card.picture !== "" ? el("img", { src: card.picture, alt: "", loading: "lazy" }) : el("div", { class: "no-picture" });
  const title = card.address !== "" ? el("a", { href: card.address }, card.title) : card.title;
  return el("article", { class: "card" }, el("div", { class: "picture" }, picture),
    el("div", { class: "card-text" }, el("h2", {}, title), el("p", {}, card.about),
       card.figures.length > 0 && el("table", {}, el("tbody", {}, ...card.figures.map(([label, value]) =>
         el("tr", {}, el("th", { scope: "row" }, label), el("td", {}, value)))))));
}
