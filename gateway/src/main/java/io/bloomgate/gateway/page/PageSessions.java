package io.bloomgate.gateway.page;

import io.bloomgate.config.control.ControlClient.Answer;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Browsers that have shown a token. A cookie holds a random id, never the token; a restart forgets
 * all. Thread-safe; called on the threads of HTTP requests.
 */
final class PageSessions {

  /** A browser that is quiet for longer has to show a token again. */
  static final Duration IDLE = Duration.ofHours(1);

  /** The longest time with one token. */
  static final Duration LONGEST = Duration.ofHours(12);

  /** Browsers at the same time; the one that was quiet for longest is forgotten first. */
  private static final int MAX_SESSIONS = 256;

  private static final int ID_OCTETS = 24;

  private final SecureRandom random;
  private final LongSupplier nanoTime;

  /** The sessions in the order of last use. */
  private final Map<String, Session> sessions = new LinkedHashMap<>();

  PageSessions(SecureRandom random, LongSupplier nanoTime) {
    this.random = random;
    this.nanoTime = nanoTime;
  }

  /** One browser. */
  static final class Session {
    private final String id;
    private final String token;
    private final String formToken;
    private final long began;
    private long used;

    /** The answer to the last change, for the next page. */
    private final AtomicReference<@Nullable Answer> outcome = new AtomicReference<>();

    private Session(String id, String token, String formToken, long now) {
      this.id = id;
      this.token = token;
      this.formToken = formToken;
      this.began = now;
      this.used = now;
    }

    String id() {
      return id;
    }

    /** The token that was shown, which is compared with the files at each request. */
    String token() {
      return token;
    }

    /** A random text that is in each form of this browser's pages. */
    String formToken() {
      return formToken;
    }

    void show(Answer answer) {
      outcome.set(answer);
    }

    /** Takes the answer to the last change, once. */
    Optional<Answer> outcome() {
      return Optional.ofNullable(outcome.getAndSet(null));
    }
  }

  /** A new session of one who has shown this token. */
  synchronized Session begin(String token) {
    if (sessions.size() >= MAX_SESSIONS) {
      sessions.remove(sessions.keySet().iterator().next());
    }
    Session session = new Session(randomText(), token, randomText(), nanoTime.getAsLong());
    sessions.put(session.id, session);
    return session;
  }

  /** The session of a cookie, while its time lasts. */
  synchronized Optional<Session> find(String id) {
    Session session = sessions.remove(id);
    long now = nanoTime.getAsLong();
    if (session == null
        || now - session.used > IDLE.toNanos()
        || now - session.began > LONGEST.toNanos()) {
      return Optional.empty();
    }
    session.used = now;
    sessions.put(id, session);
    return Optional.of(session);
  }

  synchronized void end(Session session) {
    sessions.remove(session.id);
  }

  private String randomText() {
    byte[] octets = new byte[ID_OCTETS];
    random.nextBytes(octets);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(octets);
  }
}
