/** The sentences about a chart's picture (SPEC 8). */
export const IMAGE_COPIED = 'Image copied';
export const IMAGE_COPY_FAILED = 'Error copying image to clipboard';
