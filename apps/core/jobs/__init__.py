"""Jobs in one process: the embedded broker and its workers. What the jobs do stands in each app's `tasks`."""
