import { useMutation } from '@tanstack/react-query';
import type { Source } from 'api/types';
import { Button } from 'design/components/button';
import { TextArea } from 'design/components/field';
import { Popup } from 'design/components/popup';
import { useRef, useState } from 'react';
import { toastShow } from 'stores/toast';
import { type FeedbackKind, feedbackKeep, useUnsentFeedback } from 'stores/unsent-feedback';
import { type Feedback, sendFeedback } from './api';
import {
  didWell,
  doBetter,
  EMPTY_FEEDBACK,
  EMPTY_FIELD,
  EMPTY_REQUEST,
  FEEDBACK_FAILED,
  FEEDBACK_SENT,
  SHOULD_HAVE_USED,
} from './copy';
import styles from './feedback-popup.module.css';
import { FileChoice } from './file-choice';

interface Props {
  kind: FeedbackKind;
  product: string;
  sources: readonly Source[];
  /** Lines of "role: content", for what is said about an answer. */
  chatHistory: string;
  /** The answer that was rated. */
  about?: { threadId: string; messageId: string } | undefined;
  onClose(): void;
}

interface Words {
  title: string;
  help?: string;
  label: string;
  placeholder?: string;
  /** What the field says where nothing was written. */
  empty?: string;
  send: Pick<Feedback, 'kind' | 'isThumbsUp'>;
}

function wordsFor(kind: FeedbackKind, product: string): Words {
  switch (kind) {
    case 'feedback':
      return {
        title: 'Thank you for your feedback!',
        help: 'Tell us what works and what does not.',
        label: 'Your feedback',
        send: { kind: 'feedback' },
      };
    case 'request-source':
      return {
        title: 'Request a Source',
        help: 'Name the service or the file, and what you would ask about it.',
        label: 'Which data sources would you like to use?',
        empty: EMPTY_REQUEST,
        send: { kind: 'source-request' },
      };
    case 'thumbs-up':
      return {
        title: 'Thank you for your feedback!',
        label: didWell(product),
        placeholder: didWell(product),
        send: { kind: 'thumbs', isThumbsUp: true },
      };
    case 'thumbs-down':
      return {
        title: 'Thank you for your feedback!',
        label: doBetter(product),
        placeholder: doBetter(product),
        send: { kind: 'thumbs', isThumbsUp: false },
      };
  }
}

/** Free text for four occasions. An empty thumbs popup just closes; the others ask for a word (SPEC 4, 5). */
export default function FeedbackPopup({ kind, product, sources, chatHistory, about, onClose }: Props) {
  const words = wordsFor(kind, product);
  const [text, setText] = useState(() => useUnsentFeedback.getState()[kind] ?? '');
  const [files, setFiles] = useState<readonly string[]>([]);
  const [empty, setEmpty] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const thumbs = words.send.kind === 'thumbs';
  const sending = useMutation({
    mutationFn: sendFeedback,
    onSuccess: () => {
      feedbackKeep(kind, '');
      toastShow('complete', FEEDBACK_SENT);
      onClose();
    },
    onError: () => toastShow('error', FEEDBACK_FAILED),
  });

  function type(value: string) {
    setText(value);
    setEmpty(false);
    feedbackKeep(kind, value);
  }

  function submit() {
    if (text.trim())
      sending.mutate({
        ...words.send,
        text: text.trim(),
        files,
        ...(thumbs ? { chatHistory } : {}),
        ...(about ? { about } : {}),
      });
    else if (thumbs) onClose();
    else {
      toastShow('error', EMPTY_FEEDBACK);
      setEmpty(true);
      field.current?.focus();
    }
  }

  return (
    <Popup
      title={words.title}
      help={words.help}
      width={kind === 'thumbs-down' ? 'wide' : 'normal'}
      onClose={onClose}
      actions={
        <>
          {!thumbs && <Button onClick={onClose}>Cancel</Button>}
          <Button variant="primary" busy={sending.isPending} onClick={submit}>
            Submit
          </Button>
        </>
      }
    >
      <TextArea
        label={words.label}
        placeholder={words.placeholder}
        bare={thumbs}
        error={empty ? (words.empty ?? EMPTY_FIELD) : null}
        ref={field}
        value={text}
        maxLength={20_000}
        data-autofocus
        onChange={(event) => type(event.target.value)}
      />
      {kind === 'thumbs-down' && sources.length > 0 && (
        <>
          <h3 className={styles.section}>{SHOULD_HAVE_USED}</h3>
          <FileChoice sources={sources} chosen={files} onChange={setFiles} />
        </>
      )}
    </Popup>
  );
}
