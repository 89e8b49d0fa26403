package io.bloomgate.blocklists.explain;

import io.bloomgate.blocklists.content.ContentKey;
import io.bloomgate.blocklists.decision.Content;
import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.decision.Gather;
import io.bloomgate.blocklists.decision.Ground;
import io.bloomgate.blocklists.decision.Grounds;
import io.bloomgate.config.name.AsNumber;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.NamePattern;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.name.Subject;
import io.bloomgate.config.name.WebUrl;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds what lists say of a client or a sender where a mail carries it: in a link, in the field
 * From. The question is about the envelope, but who asks about a name wants to know that links to
 * it are refused. Called by {@link Explainer}; pure but for reading the lists.
 */
final class CarriedNotes {

  private CarriedNotes() {}

  /**
   * A sentence for each listing; none where the question says what the mail carries.
   *
   * @param shown what lists say of the envelope: an entry that is shown there is not shown again
   */
  static List<String> of(Question.Resolved asked, Grounds shown, Explainer.Context context) {
    if (!asked.keys().content().keys().isEmpty()) {
      return List.of();
    }
    List<ContentKey> carried = carried(asked.subject());
    if (carried.isEmpty()) {
      return List.of();
    }
    Facts mail = Facts.of(new Content(carried));
    Facts keys = mail.withDns(context.dns().about(mail).listings());
    Grounds grounds =
        Gather.verdict(keys, context.lists(), context.policy(), context.now()).grounds();
    List<String> notes = new ArrayList<>();
    grounds.standing().stream()
        .filter(ground -> !(ground instanceof Ground.RuleMet) && !isAmong(shown, ground))
        .map(ground -> where(ground.check()) + ": " + GroundText.of(ground))
        .forEach(notes::add);
    boolean ofLinks =
        grounds.standing().stream()
            .anyMatch(ground -> ground.check() == Check.URL || ground.check() == Check.URL_HOST);
    if (!ofLinks
        && asked.subject() instanceof DomainName name
        && DomainName.parse(name.toString()) instanceof Parsed.Ok
        && hasUrls(context)) {
      notes.add(
          "no entries of single pages there were looked for; for these ask with the URL:"
              + " `bloomgate explain http://"
              + name
              + "/PATH`");
    }
    return notes;
  }

  /** A view of the entries that does not know says that they need all checks. */
  private static boolean hasUrls(Explainer.Context context) {
    Set<Check> ofEntries = context.lists().operator().contentChecks(context.now());
    return context.policy().asked().contentChecks().contains(Check.URL)
        || (ofEntries.contains(Check.URL) && !ofEntries.equals(Check.OF_CONTENT));
  }

  private static boolean isAmong(Grounds shown, Ground ground) {
    return ground instanceof Ground.Found exact
        && shown.standing().stream()
            .anyMatch(other ->
                other instanceof Ground.Found known
                    && known.source().equals(exact.source())
                    && known.entry().equals(exact.entry()));
  }

  private static List<ContentKey> carried(@Nullable Subject subject) {
    List<ContentKey> keys = new ArrayList<>();
    switch (subject) {
      case DomainName name -> {
        link(name.toString(), keys);
        add(Check.FROM_DOMAIN, name.toString(), keys);
        add(Check.REPLY_TO_DOMAIN, name.toString(), keys);
      }
      case IpPrefix network -> {
        if (network.isHost()) {
          String address = network.network().toString();
          link(network.isV4() ? address : "[" + address + "]", keys);
        }
      }
      case MailAddress address -> {
        add(Check.FROM, address.toString(), keys);
        if (address.host() instanceof MailAddress.Host.Name(DomainName domain)) {
          add(Check.FROM_DOMAIN, domain.toString(), keys);
        }
      }
      case NamePattern _, WebUrl _, Fingerprint _, Likeness _, AsNumber _ -> {}
      case null -> {}
    }
    return keys;
  }

  private static void link(String host, List<ContentKey> keys) {
    add(Check.URL, "http://" + host + "/", keys);
    add(Check.URL_HOST, "http://" + host + "/", keys);
  }

  private static void add(Check check, String text, List<ContentKey> keys) {
    ContentKey.parse(check, text, ContentKey.Place.OPEN).ifPresent(keys::add);
  }

  private static String where(Check check) {
    return switch (check) {
      case URL, URL_HOST -> "a link to it in a mail";
      case FROM, FROM_DOMAIN -> "in the field From of a mail";
      case REPLY_TO_DOMAIN -> "in the field Reply-To of a mail";
      case CLIENT_IP, CLIENT_NAME, HELO, SENDER, SENDER_DOMAIN, ASN, ATTACHMENT, SUBJECT, BODY ->
          "in a mail";
    };
  }
}
