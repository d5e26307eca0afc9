// Making elements, and changing them no more than needed.

export type Child = Node | string | null | false;
type Attribute = string | number | boolean | ((event: any) => void);

/** An element with attributes ("onclick" and the like take functions; false leaves one out) and children. */
export function el<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Record<string, Attribute> = {},
                                                          ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value !== false) element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...present(children));
  return element;
}

export function present(children: Child[]): (Node | string)[] {
  return children.filter((child): child is Node | string => child !== null && child !== false);
}

/** Text that is the same already is left alone: it would cost a layout. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

export function setPressed(button: Element, isPressed: boolean): void { button.setAttribute("aria-pressed", String(isPressed)); }

/** Text with a subscript, as in theta_3. */
export function withSubscript(base: string, sub: string): HTMLElement {
  return el("span", { class: "symbol" }, base, sub !== "" && el("sub", {}, sub));
}

/** Call `action` at most once a drawn frame, however often it is asked for. */
export function oncePerFrame(action: () => void): () => void {
  let isWaiting = false;
  return () => {
    if (isWaiting) return;
    isWaiting = true;
    requestAnimationFrame(() => { isWaiting = false; action(); });
  };
}

/** Tell where a pointer is dragged over an element, as a share of its width, from press to release. */
export function onDrag(element: HTMLElement, begin: () => void, move: (share: number) => void, end: () => void): void {
  let left = 0, width = 1;
  const tell = (event: PointerEvent) => move(Math.min(1, Math.max(0, (event.clientX - left) / width)));
  element.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    ({ left, width } = element.getBoundingClientRect()); // measured once a drag: no layout while moving
    element.setPointerCapture(event.pointerId);
    begin();
    tell(event);
  });
  element.addEventListener("pointermove", (event) => { if (element.hasPointerCapture(event.pointerId)) tell(event); });
  element.addEventListener("lostpointercapture", end);
}
