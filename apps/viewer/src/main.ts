import { decodeRecordingElement } from "./inflate";
import { Player } from "./player";
import { parseRecording } from "./recording";
import { Stage } from "./stage/stage";

async function start(): Promise<void> {
  const element = document.getElementById("cairn-recording");
  const root = document.documentElement;
  if (!element) { root.dataset.state = "empty"; return; }
  try {
    const recording = parseRecording(await decodeRecordingElement(element), "recording");
    const player = new Player(recording.times);
    const stage = new Stage(document.getElementById("app")!, recording, player);
    (window as any).cairn = { recording, player, stage };
    root.dataset.state = "ready";
  } catch (error) {
    document.getElementById("app")!.textContent = (error as Error).message;
    root.dataset.state = "error";
  }
}
void start();
