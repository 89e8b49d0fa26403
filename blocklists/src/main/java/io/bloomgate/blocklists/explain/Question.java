package io.bloomgate.blocklists.explain;

import io.bloomgate.blocklists.decision.ClientName;
import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.decision.HeloKeys;
import io.bloomgate.blocklists.decision.Policy;
import io.bloomgate.blocklists.decision.Seen;
import io.bloomgate.blocklists.decision.SessionKeys;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.name.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What {@code explain} is asked: a subject as typed, and what else is known of the session. A
 * network is a client, a domain and an address are a sender; the rest of the session is only what
 * the options say. Immutable.
 *
 * @param subject IP, CIDR, domain or address
 * @param helo the argument of HELO, {@code null} when not said
 * @param from the envelope sender, {@code null} when not said, empty or {@code <>} for the null
 *     sender
 * @param ip the client, {@code null} when not said
 * @param to the recipient, {@code null} when not said
 * @param clientName the name of the client's address, taken for confirmed; {@code null} when not
 *     said
 * @param ownDomain true for a recipient domain of ours, given as lower-case A-labels
 */
public record Question(
    String subject,
    @Nullable String helo,
    @Nullable String from,
    @Nullable String ip,
    @Nullable String to,
    @Nullable String clientName,
    Predicate<String> ownDomain) {

  /** A question that does not say the name of the client's address. */
  public Question(
      String subject,
      @Nullable String helo,
      @Nullable String from,
      @Nullable String ip,
      @Nullable String to,
      Predicate<String> ownDomain) {
    this(subject, helo, from, ip, to, null, ownDomain);
  }

  /**
   * A question as the decision takes it.
   *
   * @param senderKnown true when the sender is known, be it {@code <>}
   * @param recipientDomain as sessions write it; {@code null} when it is not known, or not ours
   */
  record Resolved(
      Subject subject,
      SessionKeys keys,
      boolean senderKnown,
      @Nullable String recipientDomain,
      List<String> notes) {}

  /** The keys to ask for, or what is wrong with the question. */
  Parsed<Resolved> resolve(Policy policy) {
    return switch (Subject.parse(subject)) {
      case Parsed.Bad<Subject>(String reason) -> broken(reason, policy);
      case Parsed.Ok<Subject>(Subject about, var ignored) -> new Resolution(policy).resolve(about);
    };
  }

  /** A session asks about a broken name what can be read of it, and so does a question. */
  private Parsed<Resolved> broken(String reason, Policy policy) {
    Optional<DomainName> domain =
        subject.indexOf('@') < 0
            ? DomainName.asked(subject)
            : SenderKeys.parse(subject).map(SenderKeys::domain);
    if (domain.isEmpty()) {
      return Parsed.bad(reason);
    }
    Resolution resolution = new Resolution(policy);
    resolution.notes.add(reason + "; lists are asked about what can be read: " + domain.get());
    return resolution.resolve(domain.get());
  }

  /** One run of resolving; collects the first problem and the notes. */
  private final class Resolution {
    private final Policy policy;
    private final List<String> notes = new ArrayList<>();
    private @Nullable String problem;
    private @Nullable String recipientDomain;

    Resolution(Policy policy) {
      this.policy = policy;
    }

    Parsed<Resolved> resolve(Subject about) {
      IpPrefix client = client(about);
      SenderKeys sender = sender(about);
      SessionKeys keys =
          new SessionKeys(client, helo(), sender.forms(), sender.domain(), exemptRecipient())
              .withSeen(seen());
      return problem == null
          ? Parsed.ok(
              new Resolved(
                  about,
                  keys,
                  from != null || !(about instanceof IpPrefix),
                  recipientDomain,
                  List.copyOf(notes)))
          : Parsed.bad(problem);
    }

    private @Nullable IpPrefix client(Subject about) {
      if (about instanceof IpPrefix prefix) {
        if (ip != null) {
          problem = "the subject is the client already; leave --ip out";
        }
        return prefix;
      }
      return ip == null ? null : take("--ip", IpAddress.parse(ip)).map(IpPrefix::host).orElse(null);
    }

    private SenderKeys sender(Subject about) {
      if (from != null && !(about instanceof IpPrefix)) {
        problem = "the subject is the sender already; leave --from out";
      }
      return switch (about) {
        case IpPrefix ignored -> said(from);
        case DomainName name -> new SenderKeys(List.of(), name);
        case MailAddress address -> SenderKeys.of(address);
      };
    }

    private SenderKeys said(@Nullable String sender) {
      if (sender == null || sender.isEmpty() || sender.equals("<>")) {
        return SenderKeys.NONE;
      }
      return SenderKeys.parse(bare(sender))
          .or(() -> take("--from", MailAddress.parse(bare(sender))).map(SenderKeys::of))
          .orElse(SenderKeys.NONE);
    }

    private @Nullable ListKey helo() {
      if (helo == null) {
        return null;
      }
      Optional<ListKey> key = HeloKeys.parse(helo);
      if (key.isEmpty()) {
        notes.add("the HELO name gives no key: no two labels of it can be read");
      }
      return key.orElse(null);
    }

    private Seen seen() {
      Seen said = Seen.NOTHING.withHelo(helo == null ? null : HeloKeys.address(helo).orElse(null));
      return clientName == null ? said : said.withName(name(clientName));
    }

    private ClientName name(String said) {
      return take("--client-name", DomainName.parse(said))
          .map(name -> new ClientName(name.toString(), ClientName.State.CONFIRMED))
          .orElse(ClientName.UNKNOWN);
    }

    private boolean exemptRecipient() {
      if (to == null) {
        return false;
      }
      String text = bare(to);
      int at = text.lastIndexOf('@');
      String local = (at < 0 ? text : text.substring(0, at)).toLowerCase(Locale.ROOT);
      Optional<String> own =
          at < 0
              ? Optional.of("").filter(bare -> local.equals("postmaster"))
              : DomainName.parse(text.substring(at + 1))
                  .toOptional()
                  .filter(name -> name.isSpelled(text.substring(at + 1)))
                  .map(DomainName::toString)
                  .filter(ownDomain);
      recipientDomain = own.orElse(null);
      if (own.isEmpty()) {
        notes.add("the recipient's domain is not ours: relay access denied, whatever lists say");
      }
      return policy.isExempt(new Facts.Recipient(local, own.isPresent()));
    }

    private <T> Optional<T> take(String option, Parsed<T> parsed) {
      return switch (parsed) {
        case Parsed.Ok<T>(T value, var ignored) -> Optional.of(value);
        case Parsed.Bad<T>(String reason) -> {
          problem = option + ": " + reason;
          yield Optional.empty();
        }
      };
    }

    private static String bare(String path) {
      return path.startsWith("<") && path.endsWith(">") && path.length() > 1
          ? path.substring(1, path.length() - 1)
          : path;
    }
  }
}
