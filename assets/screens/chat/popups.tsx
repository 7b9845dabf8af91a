import { useSources } from 'api/queries';
import type { Source } from 'api/types';
import { pageParams } from 'app/page-params';
import { Suspense } from 'react';
import { contextFilesSet, useContextFiles } from 'stores/context-files';
import { popupClose, usePopup } from 'stores/popup';
import { detailOpen } from 'stores/side-menu';
import { AnswerFilePopup, ContextPopup, FeedbackPopup, HelpPopup, PreviewPopup } from './lazy';

const NONE: readonly Source[] = [];

interface Props {
  chatHistory(): string;
  /** Puts a question into the composer. */
  onFill(question: string): void;
}

/** The popup that is open, if one is. */
export function Popups({ chatHistory, onFill }: Props) {
  const popup = usePopup((state) => state.popup);
  const chosen = useContextFiles((state) => state.files);
  const sources = useSources(true).data ?? NONE;
  if (!popup) return null;
  const { product } = pageParams;
  return (
    <Suspense>
      {popup.kind === 'preview-file' ? (
        <PreviewPopup fileName={popup.fileName} product={product} onClose={popupClose} />
      ) : popup.kind === 'preview-answer-file' ? (
        <AnswerFilePopup file={popup.file} onClose={popupClose} />
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
          onClose={popupClose}
        />
      ) : (
        <FeedbackPopup
          key={popup.kind}
          kind={popup.kind}
          product={product}
          sources={sources}
          chatHistory={chatHistory()}
          onClose={popupClose}
        />
      )}
    </Suspense>
  );
}
