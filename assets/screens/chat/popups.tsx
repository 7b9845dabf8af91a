import { useQueryClient } from '@tanstack/react-query';
import { useMe, useSources } from 'api/queries';
import { allows, type Source } from 'api/types';
import { pageParams } from 'app/page-params';
import { OverlayComing } from 'design/components/overlay';
import { connectTabs } from 'features/manage-data/sheets-connect';
import { Suspense } from 'react';
import { contextFilesSet, useContextFiles } from 'stores/context-files';
import { popupClose, usePopup } from 'stores/popup';
import { detailOpen } from 'stores/side-menu';
import {
  AnswerFilePopup,
  ConnectTabsPopup,
  ContextPopup,
  FeedbackPopup,
  HelpPopup,
  PreviewPopup,
  SlackLinkPopup,
} from './lazy';

const NONE: readonly Source[] = [];

interface Props {
  chatHistory(): string;
  /** Puts a question into the composer. */
  onFill(question: string): void;
  /** Leads to the choice of files of this device. */
  onUpload(): void;
}

/** The popup that is open, if one is. */
export function Popups({ chatHistory, onFill, onUpload }: Props) {
  const popup = usePopup((state) => state.popup);
  const chosen = useContextFiles((state) => state.files);
  const sources = useSources(true).data ?? NONE;
  const client = useQueryClient();
  const me = useMe(true).data;
  if (!popup) return null;
  const { product } = pageParams;
  return (
    <Suspense fallback={<OverlayComing onClose={popupClose} />}>
      {popup.kind === 'preview-file' ? (
        <PreviewPopup
          fileName={popup.fileName}
          product={product}
          replacesAny={Boolean(me && allows(me, 'delete_any_file'))}
          onClose={popupClose}
        />
      ) : popup.kind === 'preview-answer-file' ? (
        <AnswerFilePopup file={popup.file} onClose={popupClose} />
      ) : popup.kind === 'google' ? (
        <ConnectTabsPopup
          title={popup.file.title}
          tabs={popup.file.tabs}
          onConnect={(tabs) => {
            popupClose();
            void connectTabs(client, popup.file, tabs);
          }}
          onClose={popupClose}
        />
      ) : popup.kind === 'slack-link' ? (
        <SlackLinkPopup
          code={popup.code}
          product={product}
          username={me?.name || me?.username || ''}
          onClose={popupClose}
        />
      ) : popup.kind === 'help' ? (
        <HelpPopup
          product={product}
          onTry={(question) => {
            popupClose();
            onFill(question);
          }}
          onClose={popupClose}
        />
      ) : popup.kind === 'context' ? (
        <ContextPopup
          product={product}
          sources={sources}
          chosen={chosen}
          onConfirm={(files) => {
            contextFilesSet(files);
            popupClose();
          }}
          onAddData={() => {
            popupClose();
            detailOpen('manage-data');
          }}
          onUpload={() => {
            popupClose();
            onUpload();
          }}
          onClose={popupClose}
        />
      ) : (
        <FeedbackPopup
          key={popup.kind}
          kind={popup.kind}
          product={product}
          sources={sources}
          chatHistory={chatHistory()}
          about={'messageId' in popup ? popup : undefined}
          onClose={popupClose}
        />
      )}
    </Suspense>
  );
}
