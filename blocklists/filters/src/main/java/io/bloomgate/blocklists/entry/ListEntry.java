package io.bloomgate.blocklists.entry;

import io.bloomgate.config.name.AsNumber;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Keyed;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.Subject;
import io.bloomgate.config.name.WebUrl;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One entry of a feed, normalised. An {@code exception} lists nothing: it voids the same feed's
 * listings of what it covers (rules of decision in gateway/README.md). {@code line} counts from 1
 * in the fetched text. Immutable.
 */
public sealed interface ListEntry {

  /** A label that no list holds, for a name below another one. */
  String LABEL_BELOW = "bloomgate-self-test.";

  /** The subject that it lists; of a name without how far it reaches. */
  Subject subject();

  /** True for an entry that takes away instead of listing. */
  boolean exception();

  /** The line of the feed, from 1 on; 0 where it was not kept. */
  int line();

  /** The canonical text of the entry, as replies, logs and {@code explain} show it. */
  default String text() {
    return subject().toString();
  }

  /**
   * A key that the entry covers, as sessions ask it; of a network the address that has these bits
   * behind the prefix. Empty for a name so long that nothing fits below it.
   */
  default Optional<ListKey> covered(long high, long low) {
    return switch (this) {
      case Network one -> {
        IpAddress first = one.prefix.network();
        IpAddress last = one.prefix.last();
        yield Optional.of(
            new IpAddress(
                first.high() | (high & (first.high() ^ last.high())),
                first.low() | (low & (first.low() ^ last.low()))));
      }
      case Domain one when one.match == NameMatch.BELOW ->
          DomainName.parse(LABEL_BELOW + one.name).map(ListKey.class::cast).toOptional();
      case Domain one -> Optional.of(one.name);
      case Address one -> Optional.of(one.address);
      case Url one -> Optional.of(one.url);
      case Hash one -> Optional.of(one.print);
      case As one -> Optional.of(one.number);
      case AsnRow _ -> Optional.empty();
    };
  }

  /** The same entry with another sign and line. */
  default ListEntry with(boolean takesAway, int at) {
    return switch (this) {
      case Network one -> new Network(one.prefix, takesAway, at);
      case Domain one -> new Domain(one.name, one.match, takesAway, at);
      case Address one -> new Address(one.address, takesAway, at);
      case Url one -> new Url(one.url, takesAway, at);
      case Hash one -> new Hash(one.print, takesAway, at);
      case As one -> new As(one.number, takesAway, at);
      case AsnRow one -> new AsnRow(one.prefix, one.number, one.country, at);
    };
  }

  /** A host or a network. */
  record Network(IpPrefix prefix, boolean exception, int line) implements ListEntry {
    @Override
    public Subject subject() {
      return prefix;
    }
  }

  /** A domain name. */
  record Domain(DomainName name, NameMatch match, boolean exception, int line)
      implements ListEntry {
    @Override
    public Subject subject() {
      return name;
    }

    @Override
    public String text() {
      return match.prefix() + name;
    }
  }

  /** A whole address. */
  record Address(MailAddress address, boolean exception, int line) implements ListEntry {
    @Override
    public Subject subject() {
      return address;
    }
  }

  /** A web address: it covers every address of which it is an expression. */
  record Url(WebUrl url, boolean exception, int line) implements ListEntry {
    @Override
    public Subject subject() {
      return url;
    }
  }

  /** The SHA-256 value of something that a mail carries. */
  record Hash(Fingerprint print, boolean exception, int line) implements ListEntry {
    @Override
    public Subject subject() {
      return print;
    }
  }

  /** All networks of an AS number. */
  record As(AsNumber number, boolean exception, int line) implements ListEntry {
    @Override
    public Subject subject() {
      return number;
    }
  }

  /**
   * A network of a table that says whose networks are; it lists nothing.
   *
   * @param number {@code null} where the table does not say it
   * @param country two capital letters; empty where the table does not say it
   */
  record AsnRow(IpPrefix prefix, @Nullable AsNumber number, String country, int line)
      implements ListEntry {
    @Override
    public Subject subject() {
      return prefix;
    }

    @Override
    public boolean exception() {
      return false;
    }
  }

  /** The reach of a listed name. */
  enum NameMatch implements Keyed {
    /** The name itself. */
    EXACT(""),
    /** The name and all below it. */
    SUFFIX(""),
    /** The names below the listed one, without itself. */
    BELOW("*.");

    private final String prefix;

    NameMatch(String prefix) {
      this.prefix = prefix;
    }

    /**
     * True when an entry of a name covers a key.
     *
     * @param itself the key is that name; false for a name below it
     */
    public boolean covers(boolean itself) {
      return switch (this) {
        case EXACT -> itself;
        case SUFFIX -> true;
        case BELOW -> !itself;
      };
    }

    /**
     * The text before the name in the canonical text of an entry. Empty for names that most lists
     * write without a prefix, so that a search for the text in the feed finds it.
     */
    public String prefix() {
      return prefix;
    }
  }
}
