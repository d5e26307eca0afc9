// The page: read what the program put into it, show the recording, open others.
import { decodeRecordingElement } from "./inflate";
import { parseRecording, type Recording } from "./recording";
import type { PageData } from "./types";
import { cardGrid } from "./ui/cards";
import { fileChooser, listenForDrops } from "./ui/files";
import { emptyPage, errorPage } from "./ui/messages";
import { Theme } from "./ui/theme";
import { Viewer } from "./ui/viewer";

const EMPTY_PAGE: PageData = { title: "", about: "", warning: "", home: "", cards: [] };

const root = document.documentElement;
const app = document.getElementById("app")!;
const theme = new Theme();
let viewer: Viewer | null = null;

function readPageData(): PageData {
  const text = document.getElementById("cairn-page")?.textContent;
  return text ? { ...EMPTY_PAGE, ...JSON.parse(text) } : EMPTY_PAGE;
}

function messageOf(error: unknown): string { return error instanceof Error ? error.message : String(error); }

function show(recording: Recording, page: PageData): void {
  viewer?.dispose();
  viewer = null;
  app.replaceChildren();
  root.classList.toggle("is-index", page.cards.length > 0);
  viewer = new Viewer(app, recording, page, theme, chooser.choose);
  if (page.cards.length > 0) app.append(cardGrid(page.about, page.cards));
  document.title = `${page.title || recording.scene?.name || recording.name} – Cairn`;
  (window as any).cairn = { recording, player: viewer.player, stage: viewer.stage };
  root.dataset.state = "ready";
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches && recording.frames > 1) viewer.player.play();
}

/** A page that plays something goes on; the others become the page of the error. */
function showError(message: string): void {
  if (viewer) { viewer.say(message, true); return; }
  app.replaceChildren(errorPage(message, chooser.choose));
  root.dataset.state = "error";
}

function parse(bytes: ArrayBuffer, name: string): Recording {
  const recording = parseRecording(bytes, name);
  if (recording.frames === 0) throw new Error(`${name}: the recording has no whole frame. ${recording.warning}`.trim());
  return recording;
}

async function openFile(file: File): Promise<void> {
  try {
    show(parse(await file.arrayBuffer(), file.name), EMPTY_PAGE);
  } catch (error) {
    showError(messageOf(error));
  }
}

async function openPage(): Promise<void> {
  const element = document.getElementById("cairn-recording");
  if (!element) {
    const { about, cards } = readPageData();
    root.classList.toggle("is-index", cards.length > 0);
    app.replaceChildren(emptyPage(chooser.choose), ...(cards.length > 0 ? [cardGrid(about, cards)] : []));
    root.dataset.state = "empty";
    return;
  }
  try {
    const page = readPageData();
    show(parse(await decodeRecordingElement(element), page.title || "recording"), page);
  } catch (error) {
    showError(messageOf(error));
  }
}

const chooser = fileChooser((file) => void openFile(file));
document.body.append(chooser.element);
listenForDrops((file) => void openFile(file));
void openPage();
