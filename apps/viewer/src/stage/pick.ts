// A click, as opposed to the drag that turns the view.

const SLACK = 5; // [pixels] that a click may move

/** Calls back with the place of each click, from -1 to 1 each way, y up. */
export function onClick(element: HTMLElement, listener: (x: number, y: number) => void): () => void {
  let start: { x: number; y: number } | null = null;
  const down = (event: PointerEvent): void => { start = event.isPrimary && event.button === 0 ? { x: event.clientX, y: event.clientY } : null; };
  const up = (event: PointerEvent): void => {
    if (!start || !event.isPrimary || Math.hypot(event.clientX - start.x, event.clientY - start.y) > SLACK) return;
    start = null;
    const place = element.getBoundingClientRect();
    listener(2 * (event.clientX - place.left) / place.width - 1, 1 - 2 * (event.clientY - place.top) / place.height);
  };
  element.addEventListener("pointerdown", down);
  element.addEventListener("pointerup", up);
  return () => {
    element.removeEventListener("pointerdown", down);
    element.removeEventListener("pointerup", up);
  };
}
