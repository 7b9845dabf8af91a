import { storeCreate } from './store';

/** Which place that data comes from Manage Data shows (SPEC 2). */
export type DataSection = 'crm' | 'uploaded' | 'sheets';

export const useDataSection = storeCreate<{ section: DataSection }>(() => ({ section: 'uploaded' }));

export const dataSectionShow = (section: DataSection): void => useDataSection.setState({ section });
