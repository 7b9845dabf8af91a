import { type DragEvent, useCallback, useRef, useState } from 'react';

/** Drag events come from every child: the zone counts how deep the pointer is. Of zones in each other the innermost takes them. */
export function useDropZone(onFiles: (files: Iterable<File>) => void) {
  const [dropping, setDropping] = useState(false);
  const depth = useRef(0);
  const hasFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files');
  const leave = useCallback(() => {
    depth.current = 0;
    setDropping(false);
  }, []);
  return {
    dropping,
    handlers: {
      onDragEnter: (event: DragEvent) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        event.stopPropagation();
        depth.current += 1;
        setDropping(true);
      },
      onDragOver: (event: DragEvent) => hasFiles(event) && event.preventDefault(),
      onDragLeave: (event: DragEvent) => {
        if (!hasFiles(event)) return;
        event.stopPropagation();
        depth.current -= 1;
        if (depth.current <= 0) leave();
      },
      onDrop: (event: DragEvent) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        event.stopPropagation();
        leave();
        onFiles(event.dataTransfer.files);
      },
    },
  };
}
