import type { HeaderSink } from '../hpack/hpack-decoder.ts';

/** What is kept of a request's header fields. Texts hold one character per octet. */
export interface RequestHead {
  readonly method: string;
  readonly path: string;
  /** Empty where there is none; so are the others. */
  readonly contentType: string;
  readonly grpcTimeout: string;
  readonly grpcEncoding: string;
  /** Octets of all DATA together; -1 where it is not said. */
  readonly contentLength: number;
  /** The other fields that were asked for, by name; values of one name are joined. undefined: there are none. */
  readonly kept: ReadonlyMap<string, string> | undefined;
}

/** Why a header list is no request: its stream is at fault, not the connection. */
export type HeadFault = 'malformed' | 'too-large';

const maxFields = 128;

/** RFC 9113, section 8.2.2. */
const connectionSpecific: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
]);

/** RFC 9113, section 8.2.1: no upper case, no controls, no blanks, no octets above 0x7e, no colon. */
const fieldName = /^[!-9;-@[-~]+$/;
/** RFC 9113, section 8.2.1. Blanks at the ends are let pass: no field is ever passed on. */
const badValue = /[\0\r\n]/;
const digits = /^\d{1,15}$/;

/**
 * Reads the fields of a request, or its trailers, as they are decoded: RFC 9113, sections 8.2 and 8.3. Beyond the limits
 * nothing is kept, but everything is decoded, as the table that later requests need depends on it.
 */
export class RequestHeadReader implements HeaderSink {
  readonly #maxBytes: number;
  #fault: HeadFault | undefined;
  #bytes = 0;
  #fields = 0;
  #isTrailers = false;
  /** A field that is no pseudo-header field has come. */
  #isRegular = false;
  #method: string | undefined;
  #path: string | undefined;
  #scheme: string | undefined;
  #authority: string | undefined;
  #contentType = '';
  #grpcTimeout = '';
  #grpcEncoding = '';
  #contentLength = -1;
  readonly #keptNames: ReadonlySet<string> | undefined;
  #kept: Map<string, string> | undefined;

  /**
   * @param maxBytes names, values and 32 for each field, summed
   * @param keptNames further fields that somebody wants to know, in lower case; undefined: none, at no cost
   */
  constructor(maxBytes: number, keptNames?: ReadonlySet<string>) {
    this.#maxBytes = maxBytes;
    this.#keptNames = keptNames;
  }

  begin(isTrailers: boolean): void {
    this.#fault = undefined;
    this.#bytes = 0;
    this.#fields = 0;
    this.#isTrailers = isTrailers;
    this.#isRegular = isTrailers;
    this.#method = undefined;
    this.#path = undefined;
    this.#scheme = undefined;
    this.#authority = undefined;
    this.#contentType = '';
    this.#grpcTimeout = '';
    this.#grpcEncoding = '';
    this.#contentLength = -1;
    this.#kept = undefined;
  }

  field(name: string, value: string): void {
    this.#fields += 1;
    this.#bytes += name.length + value.length + 32;
    if (this.#fields > maxFields || this.#bytes > this.#maxBytes) {
      this.#fault = 'too-large';
    }
    if (this.#fault !== undefined) return;
    const isGood = name.charCodeAt(0) === 0x3a ? this.#pseudo(name, value) : this.#regular(name, value);
    if (!isGood || badValue.test(value)) this.#fault = 'malformed';
  }

  /** Of a request. */
  end(): RequestHead | HeadFault {
    if (this.#fault !== undefined) return this.#fault;
    if (this.#method === undefined || this.#scheme === undefined || !this.#path) return 'malformed';
    return {
      method: this.#method,
      path: this.#path,
      contentType: this.#contentType,
      grpcTimeout: this.#grpcTimeout,
      grpcEncoding: this.#grpcEncoding,
      contentLength: this.#contentLength,
      kept: this.#kept,
    };
  }

  /** Of trailers. */
  get fault(): HeadFault | undefined {
    return this.#fault;
  }

  /** RFC 9113, section 8.3: known, once, and before the others. */
  #pseudo(name: string, value: string): boolean {
    if (this.#isRegular) return false;
    switch (name) {
      case ':method':
        if (this.#method !== undefined) return false;
        this.#method = value;
        return true;
      case ':path':
        if (this.#path !== undefined) return false;
        this.#path = value;
        return true;
      case ':scheme':
        if (this.#scheme !== undefined) return false;
        this.#scheme = value;
        return true;
      case ':authority':
        if (this.#authority !== undefined) return false;
        this.#authority = value;
        return true;
      default:
        return false;
    }
  }

  #regular(name: string, value: string): boolean {
    this.#isRegular = true;
    switch (name) {
      case 'content-type':
        this.#contentType = value;
        return true;
      case 'grpc-timeout':
        this.#grpcTimeout = value;
        return true;
      case 'grpc-encoding':
        this.#grpcEncoding = value;
        return true;
      case 'te':
        return value === 'trailers' || this.#isTrailers;
      case 'content-length':
        return this.#lengthGiven(value);
      default:
        if (this.#keptNames?.has(name)) this.#keep(name, value);
        return fieldName.test(name) && !connectionSpecific.has(name);
    }
  }

  /** RFC 9110, section 5.2: several lines of a field are one value. */
  #keep(name: string, value: string): void {
    this.#kept ??= new Map();
    const before = this.#kept.get(name);
    this.#kept.set(name, before === undefined ? value : `${before},${value}`);
  }

  #lengthGiven(value: string): boolean {
    const length = digits.test(value) ? Number(value) : -1;
    if (length < 0 || (this.#contentLength >= 0 && this.#contentLength !== length)) return false;
    this.#contentLength = length;
    return true;
  }
}
