import { describe, expect, it } from 'vitest';
import { AnswerBlocks, says } from './answer-blocks.ts';

/** Reads blocks of one connection, given in hexadecimal digits. */
function readAll(...blocks: readonly string[]): number[] {
  const reader = new AnswerBlocks();
  return blocks.map((block) => {
    const octets = Buffer.from(block.replaceAll(' ', ''), 'hex');
    return reader.read(octets, 0, octets.length);
  });
}

const grpcStatus = Buffer.from('grpc-status').toString('hex');
const name = (text: string) => Buffer.concat([Buffer.from([text.length]), Buffer.from(text)]).toString('hex');

describe('the header blocks of answers', () => {
  it('are read without indexing, as Weir sends them', () => {
    expect(readAll(`88 0f10 ${name('application/grpc')}`, `000b ${grpcStatus} 0130`)).toEqual([
      says.status200,
      says.grpcStatusOk,
    ]);
  });

  it('are read with the dynamic table and Huffman coding, as nghttp2 sends them', () => {
    const trailers = ['40889acac8b21234da8f0130', 'be', 'be'];
    expect(readAll(...trailers)).toEqual([says.grpcStatusOk, says.grpcStatusOk, says.grpcStatusOk]);
    expect(readAll('40889acac8b21234da8f8107', 'be')).toEqual([says.grpcStatusOk, says.grpcStatusOk]);
  });

  it('find the field that an index means after others were added', () => {
    const [, , third] = readAll(`400b${grpcStatus}0130`, `40${name('date')}0161 40${name('x')}0161`, 'c0');
    expect(third).toBe(says.grpcStatusOk);
    expect(readAll(`400b${grpcStatus}0130`, `40${name('date')}0161`, 'be')).toEqual([
      says.grpcStatusOk,
      0,
      0,
    ]);
  });

  it('tell a status by the name in the table and a new value', () => {
    expect(readAll(`400b${grpcStatus}0130`, '7e 023133', '7f00 0130')[1]).toBe(says.grpcStatusOther);
    expect(readAll('48 03353033', '08 03323030', '08 821001')).toEqual([
      says.statusOther,
      says.status200,
      says.status200,
    ]);
  });

  it('tell errors: HTTP by the static table, and gRPC', () => {
    expect(readAll('8d', '8e', `000b${grpcStatus}0134`)).toEqual([
      says.statusOther,
      says.statusOther,
      says.grpcStatusOther,
    ]);
    expect(readAll(`88 000b${grpcStatus}0138`)).toEqual([says.status200 | says.grpcStatusOther]);
  });

  it('skip a change of the table and fields that say nothing, also long ones', () => {
    const long = `00${name('x-trace')}7fc901${'61'.repeat(328)}`;
    expect(readAll(`3fe11f 20 88 ${long}`, '5f 1d 00'.replace('1d 00', '00'))).toEqual([says.status200, 0]);
  });

  it('remember as many fields as a table can hold', () => {
    const many = `40${name('x')}0161`.repeat(120);
    expect(readAll(`400b${grpcStatus}0130`, many, 'ff37')[2]).toBe(says.grpcStatusOk);
  });

  it('must not end within a field', () => {
    expect(() => readAll('000b6772')).toThrow('ends within a field');
    expect(() => readAll('ffffffffffff')).toThrow('too long');
  });
});
