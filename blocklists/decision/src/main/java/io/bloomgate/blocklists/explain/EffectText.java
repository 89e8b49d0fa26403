package io.bloomgate.blocklists.explain;

import io.bloomgate.blocklists.generation.ListSnapshot;
import io.bloomgate.blocklists.index.RangeTally;
import io.bloomgate.blocklists.operator.OperatorEntry;
import io.bloomgate.config.name.AsNumber;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.NamePattern;
import io.bloomgate.config.name.WebUrl;
import io.bloomgate.config.settings.Mode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Says in sentences what a new operator entry does and what it leaves as it was. Pure; used by
 * {@code allow add} and {@code block add}.
 */
public final class EffectText {

  private static final String ENFORCE = " `bloomgate mode enforce`";

  private EffectText() {}

  /**
   * The sentences, each fit for a line.
   *
   * @param mode in force: what only mode enforce does must not be said as done
   */
  public static List<String> of(OperatorEntry entry, EntryEffect effect, Mode mode) {
    boolean refuses = mode == Mode.ENFORCE;
    List<String> notes = new ArrayList<>();
    notes.add(rule(entry, refuses));
    effect.lifts().forEach(ground -> notes.add("lifts: " + GroundText.of(ground)));
    String added = refuses ? "now refuses: " : "would refuse: ";
    effect.adds().forEach(ground -> notes.add(added + GroundText.of(ground)));
    String other = refuses ? "still refuses: " : "would still refuse: ";
    effect.stillRefuses().stream()
        .filter(ground -> !effect.adds().contains(ground))
        .forEach(ground -> notes.add(other + GroundText.of(ground)));
    notes.addAll(effect.notes());
    return notes;
  }

  /** Says what the mode makes of a new block; empty where it refuses. */
  public static Optional<String> ofMode(ListKind list, Mode mode) {
    return switch (list) {
      case ALLOW -> Optional.empty();
      case BLOCK ->
          switch (mode) {
            case ENFORCE -> Optional.empty();
            case OBSERVE ->
                Optional.of("mode observe: the mail passes and is logged until" + ENFORCE);
            case SOFT ->
                Optional.of("mode soft: the mail is put off with a 4xx reply until" + ENFORCE);
          };
    };
  }

  /** Names the narrower entries inside an allowed network, which it lifts as well. */
  public static List<String> ofRange(OperatorEntry entry, ListSnapshot snapshot) {
    if (entry.list() != ListKind.ALLOW
        || entry.from() != null
        || !(entry.subject() instanceof IpPrefix prefix)
        || prefix.isHost()) {
      return List.of();
    }
    RangeTally range;
    try {
      range = snapshot.within(prefix);
    } catch (RuntimeException | InternalError e) {
      return List.of("what feeds list inside " + prefix + " could not be read");
    }
    return range.insideAll() == 0
        ? List.of("no smaller listings inside it")
        : List.of(inside(prefix, range));
  }

  private static String inside(IpPrefix prefix, RangeTally range) {
    List<String> feeds = new ArrayList<>();
    range.inside().forEach((feed, count) -> feeds.add(feed + " " + count));
    return "lifts for their clients what feeds list inside %s: %d %s (%s), first %s"
        .formatted(
            prefix,
            range.insideAll(),
            range.insideAll() == 1 ? "entry" : "entries",
            String.join(", ", feeds),
            range.first().getFirst().entry().text());
  }

  /** Says what an entry of this kind does in general. */
  private static String rule(OperatorEntry entry, boolean refuses) {
    String rule =
        entry.list() == ListKind.ALLOW
            ? overrides(entry)
            : (refuses ? "refuses " : "would refuse ") + refused(entry);
    return rule + "; until " + (entry.expires() == null ? "it is removed" : entry.expires());
  }

  private static String overrides(OperatorEntry entry) {
    if (entry.isOfClientName()) {
      return "overrides every listing of mail from " + clients(entry);
    }
    if (entry.subject() instanceof IpPrefix network
        && entry.from() == null
        && !entry.scope().isEmpty()
        && Check.OF_CONTENT.containsAll(entry.scope())) {
      return ofClient(entry, network);
    }
    if (!entry.scope().isEmpty()) {
      String what = carried(entry);
      return what.isEmpty()
          ? "overrides listings of " + scope(entry) + " for " + subjectAndFrom(entry)
          : "overrides listings of " + what + from(entry) + ", and no other listing of the mail";
    }
    return switch (entry.subject()) {
      case IpPrefix network ->
          ("overrides client_ip listings of %s, and what feeds say of helo, sender, sender_domain"
                  + " and of what mails carry in sessions from there")
              .formatted(network);
      case DomainName domain ->
          name(entry, domain + " and all below it", "in From, Reply-To and links");
      case NamePattern pattern ->
          name(
              entry,
              pattern.toString(),
              pattern.isOfAddresses() ? "in From" : "in From, Reply-To and links");
      case MailAddress address -> name(entry, address.toString(), "in From");
      case WebUrl url -> "overrides listings of the URL " + url;
      case Fingerprint print -> "overrides listings of the SHA-256 value " + print;
      case Likeness _, AsNumber _ -> "overrides listings of texts like this one";
    };
  }

  /** An allowed network is that of clients; in URLs an address may be the host as well. */
  private static String ofClient(OperatorEntry entry, IpPrefix network) {
    boolean inUrls = entry.scope().contains(Check.URL) || entry.scope().contains(Check.URL_HOST);
    return "overrides listings of what mail from %s carries (%s)%s"
        .formatted(network, scope(entry), inUrls ? ", and of URLs at " + network : "");
  }

  private static String name(OperatorEntry entry, String who, String carried) {
    if (entry.from() != null) {
      return "overrides every listing of mail from " + who + " that comes from " + entry.from();
    }
    return entry.anyScope()
        ? "overrides every listing of mail that claims " + who
        : "overrides sender and sender_domain listings of %s, also %s, never client_ip listings"
            .formatted(who, carried);
  }

  /** DNS is asked for the name of each client as long as there is such an entry. */
  private static String clients(OperatorEntry entry) {
    return "clients with the confirmed name "
        + subjectAndFrom(entry)
        + "; their names are looked up from now on";
  }

  private static String refused(OperatorEntry entry) {
    if (entry.isOfClientName()) {
      return clients(entry);
    }
    if (!entry.scope().isEmpty()) {
      String what = carried(entry);
      return what.isEmpty()
          ? scope(entry) + " " + subjectAndFrom(entry)
          : "mail with " + what + from(entry);
    }
    return switch (entry.subject()) {
      case IpPrefix network -> "clients in " + network + ", for exempt recipients as well";
      case DomainName domain -> "senders at " + domain + " and below" + from(entry);
      case NamePattern pattern ->
          (pattern.isOfAddresses() ? "the senders " : "senders at ") + pattern + from(entry);
      case MailAddress address -> "the sender " + address + from(entry);
      case WebUrl url -> "mail with the URL " + url + from(entry);
      case Fingerprint print -> "mail with the attachment " + print + from(entry);
      case Likeness _, AsNumber _ -> "mail with a text like this one" + from(entry);
    };
  }

  /** Names what a mail carries, for an entry with one such check; empty for any other scope. */
  private static String carried(OperatorEntry entry) {
    if (entry.scope().size() != 1) {
      return "";
    }
    String below = entry.subject() instanceof DomainName ? " and below" : "";
    return switch (entry.scope().iterator().next()) {
      case FROM, FROM_DOMAIN -> "the sender " + entry.subject() + below + " in the field From";
      case REPLY_TO_DOMAIN -> entry.subject() + below + " in the field Reply-To";
      case URL -> "the URL " + entry.subject();
      case URL_HOST -> "URLs at " + entry.subject() + below;
      case ATTACHMENT -> "the attachment " + entry.subject();
      case SUBJECT -> "this subject";
      case BODY -> "this text";
      case CLIENT_IP, CLIENT_NAME, HELO, SENDER, SENDER_DOMAIN, ASN -> "";
    };
  }

  private static String subjectAndFrom(OperatorEntry entry) {
    return entry.subject() + from(entry);
  }

  private static String from(OperatorEntry entry) {
    return entry.from() == null ? "" : " from " + entry.from();
  }

  private static String scope(OperatorEntry entry) {
    return String.join(", ", entry.scope().stream().sorted().map(check -> check.key()).toList());
  }
}
