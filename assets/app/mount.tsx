import '@fontsource-variable/inter/wght.css';
import 'design/tokens.css';
import 'design/base.css';
import { ToastBar } from 'design/components/toast';
import { TooltipLayer } from 'design/components/tooltip';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ErrorBoundary } from './error-boundary';

/** Puts one screen into the page's mount point, with what every screen needs around it. */
export function mount(screen: ReactNode): void {
  const place = document.getElementById('app');
  const toasts = document.getElementById('toasts');
  if (!place || !toasts) throw new Error('The page has no mount point.');
  createRoot(place).render(
    <StrictMode>
      <ErrorBoundary>
        {screen}
        <TooltipLayer />
      </ErrorBoundary>
    </StrictMode>,
  );
  createRoot(toasts).render(<ToastBar />);
}
