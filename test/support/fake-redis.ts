import { createServer, type Socket } from 'node:net';

/** Answers a command, in lower case, in RESP2; undefined gives no answer at all. */
export type FakeAnswer = (command: string, args: readonly string[]) => string | undefined;

/** A server that speaks Redis' protocol and says what a test wants it to. */
export interface FakeRedis extends AsyncDisposable {
  readonly port: number;
  /** Every command so far, with its arguments. */
  readonly commands: readonly (readonly string[])[];
  answer: FakeAnswer;
  stop(): Promise<void>;
}

/** What a healthy server of this version says to a client that connects and to a script with nothing to do. */
export function healthyAnswer(version = '7.0.15'): FakeAnswer {
  return (command) => {
    if (command === 'info') return bulk(`redis_version:${version}\r\nrole:master\r\nloading:0\r\n`);
    if (command === 'eval' || command === 'evalsha') return scriptAnswer();
    return '+OK\r\n';
  };
}

/** What `lua/count_fixed_windows.lua` answers now when it has these results. */
export function scriptAnswer(...results: number[]): string {
  const numbers = [Date.now(), ...results];
  return `*${numbers.length}\r\n${numbers.map((number) => `:${number}\r\n`).join('')}`;
}

export function bulk(text: string): string {
  return `$${Buffer.byteLength(text)}\r\n${text}\r\n`;
}

export async function startFakeRedis(answer: FakeAnswer = healthyAnswer()): Promise<FakeRedis> {
  const commands: (readonly string[])[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let buffered = '';
    socket.on('error', () => {}); // the test's client goes as it likes
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (chunk) => {
      buffered += chunk.toString('latin1');
      for (let read = readCommand(buffered); read !== undefined; read = readCommand(buffered)) {
        buffered = buffered.slice(read.length);
        commands.push(read.words);
        const [command = '', ...args] = read.words;
        const reply = fake.answer(command.toLowerCase(), args);
        if (reply !== undefined) socket.write(reply, 'latin1');
      }
    });
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
  });
  const stop = async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  const fake: FakeRedis = { port, commands, answer, stop, [Symbol.asyncDispose]: stop };
  return fake;
}

/** One command from the front: an array of bulk strings; undefined when it is not complete yet. */
function readCommand(text: string): { words: string[]; length: number } | undefined {
  const head = /^\*(\d+)\r\n/.exec(text);
  if (head === null) return undefined;
  const words: string[] = [];
  let at = head[0].length;
  for (let index = 0; index < Number(head[1]); index += 1) {
    const size = /^\$(\d+)\r\n/.exec(text.slice(at, at + 20));
    if (size === null) return undefined;
    const start = at + size[0].length;
    at = start + Number(size[1]) + 2;
    if (at > text.length) return undefined;
    words.push(text.slice(start, at - 2));
  }
  return { words, length: at };
}
