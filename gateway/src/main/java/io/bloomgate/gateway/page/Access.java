package io.bloomgate.gateway.page;

import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.notation.Rate;
import io.bloomgate.config.settings.SecretFile;
import io.bloomgate.gateway.page.Exchange.RefusedException;
import io.bloomgate.gateway.page.PageSessions.Session;
import io.bloomgate.gateway.page.Tokens.Owner;
import io.bloomgate.gateway.session.Admission;
import io.bloomgate.gateway.session.RateTable;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows who may see and change what: tokens, sessions of browsers, and how often a wrong token may
 * be shown. Thread-safe; called on the threads of HTTP requests.
 *
 * <p>The limit binds wrong tokens only, so that nobody can lock out others, who may come from the
 * same address behind a proxy. So it bounds what guesses cost and what they write to the log; that
 * nobody guesses a token is a matter of its length.
 */
final class Access {

  private static final Logger LOG = LoggerFactory.getLogger(Access.class);

  /** Wrong tokens of one client: an IPv4 address, or an IPv6 /64. */
  private static final Rate WRONG_BY_CLIENT = new Rate(5, Duration.ofSeconds(12));

  /** Wrong tokens of all clients together. */
  private static final Rate WRONG_IN_ALL = new Rate(50, Duration.ofSeconds(1));

  private static final String UNUSABLE = "nobody can use the page or the metrics: {}";
  private static final String COOKIE = "bloomgate";

  /** The key of all clients; no client has the unspecified address. */
  private static final IpAddress EVERYBODY = new IpAddress(0, 0);

  final Tokens tokens;
  private final PageSessions sessions;
  private final RateTable<IpAddress> wrong;
  private final Runnable limitReached;

  Access(Tokens tokens, SecureRandom random, LongSupplier nanoTime, Runnable limitReached) {
    this.tokens = tokens;
    this.sessions = new PageSessions(random);
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

  /** Sets the cookie without Secure: whether a proxy with TLS is in front is not known here. */
  private static void setCookie(Exchange exchange, String value, Duration age) {
    exchange.setHeader(
        "Set-Cookie",
        COOKIE + "=" + value + "; Path=/; HttpOnly; SameSite=Strict; Max-Age=" + age.toSeconds());
  }

  /** The right token counts at once, whatever others have shown; only a wrong one is counted. */
  private Optional<Owner> owner(String token, IpAddress client) throws RefusedException {
    String unusable = "";
    try {
      Optional<Owner> owner = tokens.owner(token);
      if (owner.isPresent()) {
        return owner;
      }
    } catch (SecretFile.UnusableException e) {
      unusable = String.valueOf(e.getMessage());
    }
    if (!wrong.take(Admission.accountOf(client), WRONG_BY_CLIENT)
        || !wrong.take(EVERYBODY, WRONG_IN_ALL)) {
      limitReached.run();
      throw new RefusedException(429, "too many wrong tokens; wait a minute and try again");
    }
    if (unusable.isEmpty()) {
      LOG.warn("a wrong token for the page or the metrics came from {}", client);
    } else {
      LOG.error(UNUSABLE, unusable);
    }
    return Optional.empty();
  }

  private Optional<Owner> known(String token) {
    try {
      return tokens.owner(token);
    } catch (SecretFile.UnusableException e) {
      LOG.error(UNUSABLE, e.getMessage());
      return Optional.empty();
    }
  }
}
