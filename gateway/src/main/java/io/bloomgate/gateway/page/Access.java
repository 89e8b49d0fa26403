package io.bloomgate.gateway.page;

import io.bloomgate.config.settings.Rate;
import io.bloomgate.config.settings.SecretFile;
import io.bloomgate.gateway.page.Exchange.RefusedException;
import io.bloomgate.gateway.page.PageSessions.Session;
import io.bloomgate.gateway.page.Tokens.Owner;
import io.bloomgate.gateway.session.RateTable;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who may see and change what: tokens, sessions of browsers, and how often a wrong token may be
 * shown. Thread-safe; called on the threads of HTTP requests.
 */
final class Access {

  private static final Logger LOG = LoggerFactory.getLogger(Access.class);

  /** Wrong tokens of one client address. */
  private static final Rate WRONG_BY_ADDRESS = new Rate(5, Duration.ofSeconds(12));

  /** Wrong tokens of all clients together. */
  private static final Rate WRONG_IN_ALL = new Rate(50, Duration.ofSeconds(1));

  private static final String COOKIE = "bloomgate";
  private static final String EVERYBODY = "*";

  private final Tokens tokens;
  private final PageSessions sessions;
  private final RateTable<String> wrong;
  private final Runnable limitReached;

  Access(Tokens tokens, SecureRandom random, LongSupplier nanoTime, Runnable limitReached) {
    this.tokens = tokens;
    this.sessions = new PageSessions(random, nanoTime);
    this.wrong = new RateTable<>(nanoTime);
    this.limitReached = limitReached;
  }

  /**
   * One who has shown a token.
   *
   * @param session {@code null} for a program, which sends its token with each request
   */
  record Visitor(Owner owner, @Nullable Session session) {}

  /**
   * The visitor behind a request; empty when it has no token that counts.
   *
   * @throws RefusedException when a wrong token came, too often
   */
  Optional<Visitor> visitor(Exchange exchange) throws RefusedException {
    String authorization = exchange.header("Authorization");
    String scheme = "Bearer ";
    if (authorization != null && authorization.regionMatches(true, 0, scheme, 0, scheme.length())) {
      return owner(authorization.substring(scheme.length()).strip(), exchange.client())
          .map(owner -> new Visitor(owner, null));
    }
    Optional<Session> session = exchange.cookie(COOKIE).flatMap(sessions::find);
    if (session.isEmpty()) {
      return Optional.empty();
    }
    Optional<Owner> owner = known(session.get().token());
    if (owner.isEmpty()) {
      sessions.end(session.get());
    }
    return owner.map(found -> new Visitor(found, session.get()));
  }

  /**
   * Begins a session when the token counts, and gives the browser its cookie.
   *
   * @throws RefusedException when a wrong token came, too often
   */
  boolean login(String token, Exchange exchange) throws RefusedException {
    if (owner(token, exchange.client()).isEmpty()) {
      return false;
    }
    setCookie(exchange, sessions.begin(token).id(), PageSessions.LONGEST);
    return true;
  }

  void logout(Session session, Exchange exchange) {
    sessions.end(session);
    setCookie(exchange, "", Duration.ZERO);
  }

  /** Without Secure: whether a proxy with TLS is in front is not known here. */
  private static void setCookie(Exchange exchange, String value, Duration age) {
    exchange.setHeader(
        "Set-Cookie",
        COOKIE + "=" + value + "; Path=/; HttpOnly; SameSite=Strict; Max-Age=" + age.toSeconds());
  }

  private Optional<Owner> owner(String token, String client) throws RefusedException {
    if (!wrong.has(client, WRONG_BY_ADDRESS) || !wrong.has(EVERYBODY, WRONG_IN_ALL)) {
      limitReached.run();
      throw new RefusedException(429, "too many wrong tokens; wait a minute and try again");
    }
    Optional<Owner> owner = known(token);
    if (owner.isEmpty()) {
      wrong.take(client, WRONG_BY_ADDRESS);
      wrong.take(EVERYBODY, WRONG_IN_ALL);
      LOG.warn("a wrong token for the page came from {}", client);
    }
    return owner;
  }

  private Optional<Owner> known(String token) {
    try {
      return tokens.owner(token);
    } catch (SecretFile.UnusableException e) {
      LOG.error("nobody can use the page: {}", e.getMessage());
      return Optional.empty();
    }
  }
}
