import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { patientDispatcher, type Dispatcher } from "../../../src/host/editor/patientDispatcher.ts";

describe("§6 a dispatcher for slow machines", () => {
  it("sends the request without the time limits of Node's fetch", async () => {
    const server = createServer((_, response) => response.end("Yes."));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    assert.ok(typeof address === "object" && address !== null);
    Reflect.get(globalThis, "Response");
    const real = Reflect.get(globalThis, Symbol.for("undici.globalDispatcher.1")) as Dispatcher;
    const limits: unknown[] = [];
    const recording = Object.create(real, {
      dispatch: {
        value: ((options, handler) => {
          limits.push([options.headersTimeout, options.bodyTimeout]);
          return real.dispatch(options, handler);
        }) satisfies Dispatcher["dispatch"],
      },
    }) as Dispatcher;
    const dispatcher = patientDispatcher(recording);
    const response = await fetch(`http://127.0.0.1:${String(address.port)}/`, { dispatcher });
    assert.deepEqual(
      [await response.text(), limits, Object.getPrototypeOf(dispatcher) === recording],
      ["Yes.", [[0, 0]], true],
    );
    server.closeAllConnections();
    server.close();
  });
});
