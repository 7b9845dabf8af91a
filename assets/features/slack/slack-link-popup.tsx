import { useMutation, useQueryClient } from '@tanstack/react-query';
import { connectionKey } from 'api/connections';
import { Button } from 'design/components/button';
import { Popup } from 'design/components/popup';
import { Skeleton } from 'design/components/skeleton';
import { toastShow } from 'stores/toast';
import { confirmLink, useSlackOffer } from './api';

interface Props {
  code: string;
  product: string;
  /** The signed-in member, so that nobody links another account than they think. */
  username: string;
  onClose(): void;
}

/** Asked once after Slack's link: may this Slack user ask as this member? */
export default function SlackLinkPopup({ code, product, username, onClose }: Props) {
  const client = useQueryClient();
  const offer = useSlackOffer(code);
  const confirm = useMutation({
    mutationFn: () => confirmLink(code),
    onSuccess: (status) => {
      toastShow('complete', `You are ${status?.linked_as ?? 'known'} in Slack now`);
      void client.invalidateQueries({ queryKey: connectionKey('slack') });
      onClose();
    },
    onError: (error) => toastShow('error', error.message),
  });
  return (
    <Popup
      title="Link your Slack account?"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            disabled={!offer.data}
            busy={confirm.isPending}
            onClick={() => confirm.mutate()}
          >
            Link account
          </Button>
        </>
      }
    >
      {offer.isError ? (
        <p role="alert">{offer.error.message}</p>
      ) : offer.data ? (
        <>
          <p>
            {product} will answer what <b>{offer.data.slack_name}</b> asks in the Slack workspace{' '}
            <b>{offer.data.workspace}</b> as if you, <b>{username}</b>, had asked: from the data you may see,
            and kept in your history.
          </p>
          <p>Only continue if you are {offer.data.slack_name} and have just asked for this link in Slack.</p>
        </>
      ) : (
        <Skeleton rows={2} height={20} text="Loading..." />
      )}
    </Popup>
  );
}
