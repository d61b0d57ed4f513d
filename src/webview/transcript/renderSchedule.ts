/** Renders once per frame, and a few times per second while the window is hidden. */
import type { RenderSchedule } from "../link/channel.ts";

/** Longest wait for a frame; a hidden window has none. */
const hiddenFrameMs = 250;

/** Schedules one render at a time. A pending frame or timer serves all calls until it fires. */
export function createRenderSchedule(): RenderSchedule {
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
