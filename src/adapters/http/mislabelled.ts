/** Streams that a server or gateway labels as something else, told by how they begin. */

/** Most characters of a body that are read to tell what it is. */
const LONGEST_START = 64_000;

/** True if the body begins as a stream; `undefined` when more of it is needed to tell. */
export type ReadsAsStream = (start: string) => boolean | undefined;

export const readsAsEvents: ReadsAsStream = (start) => {
  const begun = start.replace(/^\uFEFF/, "").trimStart();
  const field = /^(?:data|event|id|retry)?:/.exec(begun);
  if (field !== null) return true;
  return begun.length < "event:".length && /^[a-z]*$/.test(begun) ? undefined : false;
};

/** The same response, with its body unread, and whether it is a stream. */
export async function tellStream(
  response: Response,
  readsAsStream: ReadsAsStream,
): Promise<{ readonly response: Response; readonly isStream: boolean }> {
  if (response.body === null || response.bodyUsed) return { response, isStream: false };
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  const chunks: Uint8Array[] = [];
  let start = "";
  let isStream: boolean | undefined;
  while (isStream === undefined && start.length < LONGEST_START) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    start += decoder.decode(value, { stream: true });
    isStream = readsAsStream(start);
  }
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const first = chunks.shift();
        const chunk = first ?? (await reader.read()).value;
        if (chunk === undefined) controller.close();
        else controller.enqueue(chunk);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return { response: new Response(body, response), isStream: isStream === true };
}
