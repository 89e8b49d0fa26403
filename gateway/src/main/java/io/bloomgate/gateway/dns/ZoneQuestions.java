package io.bloomgate.gateway.dns;

import io.bloomgate.blocklists.url.SharedHosts;
import io.bloomgate.config.name.AsNumber;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.NameList;
import io.bloomgate.config.name.WebUrl;
import io.bloomgate.config.settings.DnsList;
import io.bloomgate.config.settings.DnsList.Hosts;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.TextParseException;
import org.xbill.DNS.Type;
import org.xbill.DNS.lookup.LookupResult;
import org.xbill.DNS.utils.base32;

/**
 * Decides what a DNS list is asked about a key, by what it says that it knows, puts that into the
 * name that the list is asked for (RFC 5782 sections 2.1, 2.4 and 3), asks it and reads the answer.
 * Keeps nothing. Used by {@link DnsListAnswers} on any thread; thread-safe.
 */
final class ZoneQuestions {

  /** A longer time to live is cut, so that a listing that ended does not count for days. */
  private static final Duration KEEP_AT_MOST = Duration.ofHours(1);

  /** A shorter one is raised, so that one message asks each question once. */
  private static final Duration KEEP_AT_LEAST = Duration.ofSeconds(10);

  private static final Duration KEEP_ABSENT = Duration.ofMinutes(1);

  /**
   * The time for which a missing answer is kept: after it the same subject causes another question.
   */
  private static final Duration KEEP_SILENT = Duration.ofSeconds(10);

  private static final String IN_ADDR = ".in-addr.arpa";
  private static final String IP6 = ".ip6.arpa";

  /** Spamhaus HBL asks for the SHA-256 of a file in Base32, RFC 4648 section 6. */
  private static final base32 FILE_HASH = new base32(base32.Alphabet.BASE32, false, true);

  private static final String OF_FILE = "._file";

  private final Resolvers resolvers;
  private final InstantSource clock;

  ZoneQuestions(Resolvers resolvers, InstantSource clock) {
    this.resolvers = resolvers;
    this.clock = clock;
  }

  /** Returns what the list is asked about; {@code null} for nothing. */
  static @Nullable ListKey asked(DnsList list, Check check, ListKey key) {
    if (!list.checks().contains(check)) {
      return null;
    }
    if (Check.OF_CONTENT.contains(check)) {
      return ofContent(list.hosts(), key);
    }
    // A list of names reports an error when it is asked about an address (RFC 5782 section 3).
    return key instanceof IpAddress && !list.checks().contains(Check.CLIENT_IP) ? null : key;
  }

  private static @Nullable ListKey ofContent(Set<Hosts> known, ListKey key) {
    return switch (key) {
      case DomainName name -> known(known, name);
      case IpAddress address -> known.contains(Hosts.ADDRESSES) ? address : null;
      case Fingerprint print -> print;
      case MailAddress _, WebUrl _, Likeness _, AsNumber _ -> null;
    };
  }

  /**
   * A shared host says nothing of a mail, a name of daily life is on no list, and a name inside is
   * no business of others.
   */
  private static @Nullable DomainName known(Set<Hosts> known, DomainName name) {
    if (NameList.EVERYDAY.contains(name) || DomainName.isInside(name.toString())) {
      return null;
    }
    if (SharedHosts.isShared(name)) {
      return known.contains(Hosts.SHARED) ? name : null;
    }
    if (known.contains(Hosts.REGISTERED)) {
      return SharedHosts.registered(name);
    }
    return known.contains(Hosts.NAMES) ? name : null;
  }

  /**
   * Asks; the answer comes within the time of the resolvers, and never as an exception. No message
   * of the library is logged or shown, because the name holds the key.
   *
   * @param zone with the key in front, if there is one
   * @param isSum true when its answers are sums of bits
   */
  CompletableFuture<DnsAnswer> ask(ListKey subject, String zone, boolean isSum) {
    return ask(labels(subject), zone, isSum);
  }

  /** The same for a name, which may have one label only, as test entries have. */
  CompletableFuture<DnsAnswer> ask(String labels, String zone, boolean isSum) {
    Name name = name(labels, zone);
    if (name == null) {
      return CompletableFuture.completedFuture(new DnsAnswer.Absent(KEEP_ABSENT));
    }
    return resolvers
        .session()
        .lookupAsync(name, Type.A)
        .toCompletableFuture()
        .thenApply(result -> read(result, isSum))
        .exceptionally(this::absentOrSilent);
  }

  private DnsAnswer absentOrSilent(Throwable failure) {
    if (Resolvers.isAbsent(failure)) {
      return new DnsAnswer.Absent(KEEP_ABSENT);
    }
    resolvers.noAnswer();
    return new DnsAnswer.Silent(KEEP_SILENT);
  }

  private DnsAnswer read(LookupResult result, boolean isSum) {
    List<ARecord> records =
        result.getRecords().stream()
            .filter(ARecord.class::isInstance)
            .map(ARecord.class::cast)
            .toList();
    if (records.isEmpty()) {
      return new DnsAnswer.Absent(KEEP_ABSENT);
    }
    List<IpAddress> codes =
        records.stream().map(record -> IpAddress.of(record.getAddress())).toList();
    for (IpAddress code : codes) {
      String error = DnsAnswer.errorOf(code, isSum);
      if (!error.isEmpty()) {
        return new DnsAnswer.Refused(error, KEEP_ABSENT);
      }
    }
    return new DnsAnswer.Codes(codes, keep(records), clock.instant());
  }

  private static Duration keep(List<ARecord> records) {
    long seconds = records.stream().mapToLong(Record::getTTL).min().orElse(0);
    return Duration.ofSeconds(
        Math.clamp(seconds, KEEP_AT_LEAST.toSeconds(), KEEP_AT_MOST.toSeconds()));
  }

  /** The subject as labels in front of the zone; empty for one that no name can hold. */
  static String labels(ListKey subject) {
    return switch (subject) {
      case IpAddress address -> reversed(address);
      case DomainName name -> name.toString();
      case Fingerprint print -> FILE_HASH.toString(print.octets()) + OF_FILE;
      case MailAddress _, WebUrl _, Likeness _, AsNumber _ -> "";
    };
  }

  /** RFC 5782 sections 2.1 and 2.4: as in the name of the address, without its end. */
  private static String reversed(IpAddress address) {
    String name = Resolvers.reverse(address).toString(true);
    return name.substring(0, name.length() - (address.isV4() ? IN_ADDR : IP6).length());
  }

  private static @Nullable Name name(String labels, String zone) {
    try {
      return labels.isEmpty() ? null : Name.fromString(labels + "." + zone + ".");
    } catch (TextParseException e) {
      // Too long for DNS, so no list can list it.
      return null;
    }
  }
}
