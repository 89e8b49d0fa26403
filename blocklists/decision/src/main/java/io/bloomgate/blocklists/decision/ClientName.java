package io.bloomgate.blocklists.decision;

import io.bloomgate.config.name.DomainName;
import org.jspecify.annotations.Nullable;

/**
 * The answer of DNS about the name of a client's address: a fact, asked for before the decision.
 * Immutable.
 *
 * @param name a host name (letters, digits, hyphens, underscores and dots); empty for none
 */
public record ClientName(String name, State state) {

  /** The certainty of the name. */
  public enum State {
    /** The name was not asked for, or DNS gave no answer: says nothing about the client. */
    UNKNOWN,
    /** The address has no name. */
    NONE,
    /** The address has this name, and the name does not have this address. */
    UNCONFIRMED,
    /** The name and the address lead to each other (RFC 8601 section 2.7.3, "iprev"). */
    CONFIRMED
  }

  /** Nothing is known. */
  public static final ClientName UNKNOWN = new ClientName("", State.UNKNOWN);

  /** The address has no name. */
  public static final ClientName NONE = new ClientName("", State.NONE);

  /** The name that lists are asked for: only a confirmed one, because anybody can claim a name. */
  public @Nullable DomainName key() {
    return state == State.CONFIRMED ? DomainName.asked(name).orElse(null) : null;
  }
}
