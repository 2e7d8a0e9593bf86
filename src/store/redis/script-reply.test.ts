import { expect, it } from 'vitest';
import { readScriptReply } from './script-reply.ts';

const nowMs = 1_796_031_345_678;

it.each([
  ['a time alone', [`${nowMs},`], []],
  ['counts, the largest too', [`${nowMs},0,7,${2 ** 32},`], [0, 7, 2 ** 32]],
  ['a key of another node', [`${nowMs},-1,3,`], [-1, 3]],
  [
    'errors in the places of their hits',
    [`${nowMs},-2,1,-2,`, 'OOM a', 'NOPERM b,c'],
    ['OOM a', 1, 'NOPERM b,c'],
  ],
])('reads %s', (_, reply, results) => {
  expect(readScriptReply(reply)).toEqual({ nowMs, results });
});

it.each([
  ['no array', null],
  ['a text', `${nowMs},`],
  ['nothing', []],
  ['no text', [nowMs]],
  ['an empty text', ['']],
  ['no time', [',1,']],
  ['a negative time', ['-5,1,']],
  ['a word for a time', ['x,1,']],
  ['a word', [`${nowMs},x,`]],
  ['a place with nothing', [`${nowMs},1,,2,`]],
  ['a minus alone', [`${nowMs},-,`]],
  ['a minus within', [`${nowMs},1-2,`]],
  ['a fraction', [`${nowMs},1.5,`]],
  ['an exponent', [`${nowMs},1e15,`]],
  ['a negative count', [`${nowMs},-3,`]],
  ['a number cut off', [`${nowMs},1,2`]],
  ['an error that is missing', [`${nowMs},-2,`]],
  ['an error that is not said', [`${nowMs},1,`, 'OOM']],
  ['something that is no error', [`${nowMs},-2,`, 1]],
])('refuses %s', (_, reply) => {
  expect(readScriptReply(reply)).toBeUndefined();
});
