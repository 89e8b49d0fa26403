package io.bloomgate.gateway.admin;

import io.bloomgate.blocklists.sessions.SessionAnswers;
import io.bloomgate.blocklists.sessions.SessionAnswers.Refusal;
import io.bloomgate.config.control.ControlRequest.OfSessions;
import io.bloomgate.gateway.sessions.SessionStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;

/**
 * {@code sessions}, {@code top} and {@code stats}. A search may take a second of computing, which
 * would keep a carrier thread from sessions: it runs on a platform thread that gives way to mail,
 * while the thread of the control connection waits.
 */
final class SessionsHandler {

  /** Searches at the same time; more wait for their turn. */
  private static final int MAX_SEARCHES = 2;

  private final SessionStore sessions;
  private final ThreadFactory threads;
  private final Semaphore turns = new Semaphore(MAX_SEARCHES);

  /**
   * @param threads makes platform threads for searches
   */
  SessionsHandler(SessionStore sessions, ThreadFactory threads) {
    this.sessions = sessions;
    this.threads = threads;
  }

  void answer(OfSessions question, ReplySender answer) throws IOException {
    sessions.catchUp();
    turns.acquireUninterruptibly();
    try {
      Optional<Refusal> refusal = search(question, answer);
      if (refusal.isEmpty()) {
        answer.done(ReplySender.OK);
      } else {
        Refusal why = refusal.get();
        answer.failed(why.usage() ? ReplySender.USAGE : ReplySender.NO, why.message(), why.hint());
      }
    } finally {
      turns.release();
    }
  }

  private Optional<Refusal> search(OfSessions question, ReplySender answer) throws IOException {
    List<String> problems = new ArrayList<>();
    SessionAnswers answers = sessions.answers(problems::add);
    FutureTask<Optional<Refusal>> search =
        new FutureTask<>(() -> answers.answer(question, answer::item));
    threads.newThread(search).start();
    Optional<Refusal> refusal = waitFor(search);
    for (String problem : problems) {
      answer.note("warning: " + problem);
    }
    return refusal;
  }

  private static Optional<Refusal> waitFor(FutureTask<Optional<Refusal>> search)
      throws IOException {
    try {
      return search.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      throw new IllegalStateException(e.getCause());
    }
  }
}
