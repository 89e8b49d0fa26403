package io.bloomgate.gateway.page;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import io.bloomgate.config.control.ControlClient.Answer;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
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
  private final Cache<String, Session> sessions =
      CacheBuilder.newBuilder()
          .concurrencyLevel(1)
          .maximumSize(MAX_SESSIONS)
          .expireAfterAccess(IDLE)
          .expireAfterWrite(LONGEST)
          .build();

  PageSessions(SecureRandom random) {
    this.random = random;
  }

  /**
   * One browser.
   *
   * @param token that was shown, which is compared with the files at each request
   * @param formToken a random text that is in each form of this browser's pages
   * @param last the answer to the last change, for the next page
   */
  record Session(
      String id, String token, String formToken, AtomicReference<@Nullable Answer> last) {

    void show(Answer answer) {
      last.set(answer);
    }

    /** Takes the answer to the last change, once. */
    Optional<Answer> outcome() {
      return Optional.ofNullable(last.getAndSet(null));
    }
  }

  /** A new session of one who has shown this token. */
  Session begin(String token) {
    Session session = new Session(randomText(), token, randomText(), new AtomicReference<>());
    sessions.put(session.id, session);
    return session;
  }

  /** The session of a cookie, while its time lasts. */
  Optional<Session> find(String id) {
    return Optional.ofNullable(sessions.getIfPresent(id));
  }

  void end(Session session) {
    sessions.invalidate(session.id);
  }

  private String randomText() {
    byte[] octets = new byte[ID_OCTETS];
    random.nextBytes(octets);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(octets);
  }
}
