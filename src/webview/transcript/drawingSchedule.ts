/** When the page draws: once in a frame, and a few times in a second where the window is hidden. */
import type { Schedule } from "../link/channel.ts";

/** Longest wait for a frame; a window that is hidden shows none. */
const hiddenFrameMs = 250;

/** A schedule for one drawing at a time. The frame and the timer serve all that come while they are awaited. */
export function drawingSchedule(): Schedule {
  let waiting: (() => void) | null = null;
  let isFrameAsked = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const drawNow = (): void => {
    const draw = waiting;
    waiting = null;
    draw?.();
  };
  const onFrame = (): void => {
    isFrameAsked = false;
    drawNow();
  };
  const onTimer = (): void => {
    timer = undefined;
    drawNow();
  };
  return (draw) => {
    waiting = draw;
    if (!isFrameAsked) requestAnimationFrame(onFrame);
    isFrameAsked = true;
    timer ??= setTimeout(onTimer, hiddenFrameMs);
  };
}
