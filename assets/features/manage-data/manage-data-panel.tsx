import type { Me, Source } from 'api/types';
import { Button } from 'design/components/button';
import { FailedLoad } from 'design/components/failed-load';
import { Panel } from 'design/components/panel';
import { Skeleton } from 'design/components/skeleton';
import { FileUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { type DataSection, dataSectionShow, useDataSection } from 'stores/data-section';
import { CrmSection } from './crm-section';
import styles from './manage-data-panel.module.css';
import { SheetsSection } from './sheets-section';
import type { RowActions } from './source-list';
import { SourcePicker } from './source-picker';
import { UPLOADED_DATA, UploadedSection, Uploading } from './uploaded-section';
import { useDropZone } from './use-drop-zone';
import { useUpload } from './use-upload';

interface Props extends RowActions {
  sources: readonly Source[] | undefined;
  failed: boolean;
  me?: Pick<Me, 'role' | 'organization'>;
  product: string;
  /** Bytes that one uploaded file may have at most. */
  largest: number;
  footer: ReactNode;
  onRequestSource(): void;
  onRetry(): void;
  onClose(): void;
}

/** Where data comes from: the segmented control shows these as soon as there is more than one (SPEC 2). */
const SECTIONS: readonly { id: DataSection; label: string }[] = [
  { id: 'crm', label: 'HubSpot' },
  { id: 'uploaded', label: 'Uploaded Files' },
  { id: 'sheets', label: 'Google Sheets' },
];

const NONE: readonly Source[] = [];

/** The organization's data: bring, watch being read, look into, delete. Dropping files anywhere uploads them. */
export function ManageDataPanel(props: Props) {
  const { sources, failed, product, largest, footer, onRequestSource, onRetry, onClose } = props;
  const section = useDataSection((shown) => shown.section);
  const upload = useUpload(sources ?? NONE, product);
  const { dropping, handlers } = useDropZone((files) => {
    dataSectionShow('uploaded');
    upload.add(files);
  });
  return (
    <div className={styles.zone} data-dropping={dropping || undefined} {...handlers}>
      <Panel title="Manage Data" onClose={onClose} footer={footer}>
        <SourcePicker sections={SECTIONS} current={section} onChange={dataSectionShow} />
        {section === 'uploaded' && (
          <>
            <Uploading
              upload={upload}
              first={sources?.every((source) => source.group !== 'uploaded')}
              largest={largest}
            />
            {!sources && <h3 className={styles.title}>{UPLOADED_DATA}</h3>}
          </>
        )}
        {sources ? (
          <>
            {section === 'crm' && (
              <CrmSection {...props} sources={sources.filter((source) => source.group === 'crm')} />
            )}
            {section === 'sheets' && (
              <SheetsSection
                {...props}
                sources={sources.filter((source) => source.group === 'spreadsheet')}
              />
            )}
            {section === 'uploaded' && (
              <UploadedSection {...props} sources={sources.filter((source) => source.group === 'uploaded')} />
            )}
          </>
        ) : failed ? (
          <FailedLoad sentence="Your files could not be loaded." onRetry={onRetry} />
        ) : (
          <Skeleton rows={4} height={56} text="Loading files..." />
        )}
        <div className={styles.request}>
          <Button full onClick={onRequestSource}>
            Request Source
          </Button>
        </div>
      </Panel>
      {dropping && (
        <div className={styles.drop} aria-hidden="true">
          <FileUp size={28} strokeWidth={1.5} />
          Drop .csv or .xlsx files
        </div>
      )}
    </div>
  );
}
