/** The picture of a message: a data address or bare base64, of a kind that cannot hold a program. Pure. */

const KINDS = /^data:(image\/(?:png|jpeg|gif|webp));base64,([A-Za-z0-9+/=\s]+)$/;
const BARE = /^[A-Za-z0-9+/=\s]+$/;
const PNG = 'image/png';

export interface Picture {
  type: string;
  base64: string;
}

/** Null where the text is no picture, or one that a browser might run (SVG). */
export function pictureOf(data: string | null): Picture | null {
  if (!data) return null;
  const [, type, base64] = KINDS.exec(data) ?? [];
  if (type && base64) return { type, base64 };
  return BARE.test(data) ? { type: PNG, base64: data } : null;
}

export const pictureAddress = ({ type, base64 }: Picture): string => `data:${type};base64,${base64}`;

/** The picture's bytes, for the clipboard. */
export function pictureBlob({ type, base64 }: Picture): Blob {
  return new Blob([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], { type });
}
