/** Which output files are charts and what their pictures are called. Apart from the parser, which comes with the charts. */

const CHART_TYPE = 'application/vnd.chart+json';

/** True for an output file that holds a chart. */
export function isChartFile(file: { readonly mime_type: string }): boolean {
  return file.mime_type === CHART_TYPE;
}

/** "reports/revenue.by month.json" -> "revenue.by month.png": the source's name with its extension removed (SPEC §2). */
export function pictureName(fileName: string): string {
  const base = fileName.split(/[\\/]/).at(-1) ?? '';
  return `${base.replace(/\.[^.]+$/, '') || 'chart'}.png`;
}
