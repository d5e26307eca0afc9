// Line icons on a 24 x 24 grid, drawn for this page.

const PATHS = {
  play: '<path d="M8 5.2v13.6L19 12z" fill="currentColor"/>',
  pause: '<path d="M8 5.5v13M16 5.5v13" stroke-width="3.4"/>',
  back: '<path d="M16.5 6v12L8.5 12z" fill="currentColor"/><path d="M6 6v12"/>',
  forward: '<path d="M7.5 6v12l8-6z" fill="currentColor"/><path d="M18 6v12"/>',
  loop: '<path d="M5 12V10.5a4 4 0 0 1 4-4h9M15.5 3.8 18.3 6.5l-2.8 2.7M19 12v1.5a4 4 0 0 1-4 4H6M8.5 20.2 5.7 17.5l2.8-2.7"/>',
  plots: '<path d="M4 4v16h16M7.5 15l3.5-5 3.5 3L19 7"/>',
  live: '<circle cx="12" cy="12" r="3" fill="currentColor"/><path d="M7 17a7 7 0 0 1 0-10M17 7a7 7 0 0 1 0 10"/>',
  solver: '<path d="M5 5h5v5H5zM14 14h5v5h-5zM7.5 10v6.5H14M10 7.5h6.5V14"/>',
  display: '<path d="M2.8 12S6 6 12 6s9.2 6 9.2 6-3.2 6-9.2 6-9.2-6-9.2-6z"/><circle cx="12" cy="12" r="2.8"/>',
  open: '<path d="M4 18.5V6h5.5l2 2.5H20v10z"/>',
  moon: '<path d="M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10z"/>',
  sun: '<circle cx="12" cy="12" r="4"/><path d="M12 2.5v2.5M12 19v2.5M2.5 12H5M19 12h2.5' +
    'M5.3 5.3 7 7M17 17l1.7 1.7M5.3 18.7 7 17M17 7l1.7-1.7"/>',
  help: '<circle cx="12" cy="12" r="9"/><path d="M9.3 9.3a2.7 2.7 0 1 1 4 2.6c-.9.5-1.3 1-1.3 2M12 16.8v.2"/>',
  close: '<path d="M6.5 6.5l11 11M17.5 6.5l-11 11"/>',
  home: '<path d="M4 11.5 12 5l8 6.5M6.5 10v9h11v-9"/>',
  follow: '<circle cx="12" cy="12" r="6"/><path d="M12 2.5V6M12 18v3.5M2.5 12H6M18 12h3.5"/>',
} as const;

export type IconName = keyof typeof PATHS;

function svg(body: string, size: string): SVGSVGElement {
  const holder = document.createElement("template");
  holder.innerHTML = `<svg viewBox="0 0 24 24" width="${size}" height="${size}" fill="none" stroke="currentColor" stroke-width="1.7"` +
    ` stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" focusable="false">${body}</svg>`;
  return holder.content.firstElementChild as SVGSVGElement;
}

export function icon(name: IconName): SVGSVGElement { return svg(PATHS[name], "20"); }

/** Three stones on one another. */
export function mark(): SVGSVGElement {
  return svg('<g stroke="none" fill="currentColor"><ellipse cx="12" cy="18.3" rx="9" ry="3.2"/>' +
    '<ellipse cx="11.4" cy="12" rx="6.3" ry="2.7" opacity=".8"/><ellipse cx="12.3" cy="6.7" rx="3.9" ry="2.2" opacity=".6"/></g>', "22");
}
