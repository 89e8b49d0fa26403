package io.bloomgate.blocklists.explain;

import io.bloomgate.blocklists.content.ContentKey;
import io.bloomgate.blocklists.decision.ClientName;
import io.bloomgate.blocklists.decision.Content;
import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.decision.HeloKeys;
import io.bloomgate.blocklists.decision.Seen;
import io.bloomgate.config.control.ControlRequest.Explain;
import io.bloomgate.config.control.ControlRequest.ExplainMail;
import io.bloomgate.config.name.AsNumber;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.NamePattern;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.name.Subject;
import io.bloomgate.config.name.WebUrl;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The question to {@code explain}: a subject as typed, and what else is known of the session. A
 * network is a client, a domain and an address are a sender; the rest of the session is only what
 * the options say. Immutable.
 *
 * @param said the subject (IP, CIDR, domain or address) and the options; {@code from} is empty or
 *     {@code <>} for the null sender, {@code clientName} is taken for confirmed, and {@code at}
 *     does not count
 * @param ownDomain true for a recipient domain of ours, given as lower-case A-labels
 */
public record Question(Explain said, Predicate<String> ownDomain) {

  private static final String NOT_OURS =
      "the recipient's domain is not ours: relay access denied, whatever lists say";

  /** Says what a question about a mail says of its session. */
  public static Explain session(ExplainMail mail) {
    return new Explain("", mail.helo(), mail.from(), mail.ip(), mail.to(), mail.clientName(), null);
  }

  /**
   * A question as the decision takes it.
   *
   * @param subject {@code null} for a mail
   * @param senderKnown true when the sender is known, be it {@code <>}
   * @param recipientDomain as sessions write it; {@code null} when it is not known, or not ours
   */
  record Resolved(
      @Nullable Subject subject,
      Facts keys,
      boolean senderKnown,
      @Nullable String recipientDomain,
      List<String> notes) {

    /** The mail of a session that was kept. */
    static Resolved of(Facts mail, boolean senderKnown) {
      Facts.Recipient to = mail.recipient();
      boolean isForeign = to != null && !to.ownDomain();
      String domain = to == null || isForeign ? null : to.domain();
      List<String> notes = NoteText.when(isForeign, NOT_OURS);
      return new Resolved(mail.network(), mail, senderKnown, domain, notes);
    }
  }

  /** The keys to ask for, or what is wrong with the question. */
  Parsed<Resolved> resolve() {
    return switch (Subject.parse(said.subject())) {
      case Parsed.Bad<Subject>(String reason) -> broken(reason);
      case Parsed.Ok<Subject>(Subject about, var ignored) -> resolve(about, new Resolution());
    };
  }

  /** The keys to ask for about a mail; the subject does not count. */
  Parsed<Resolved> resolveMail(Content mail) {
    return new Resolution().resolve(null, mail);
  }

  private Parsed<Resolved> resolve(Subject about, Resolution resolution) {
    return resolution.resolve(about, content(about));
  }

  /** A session asks about a broken name what can be read of it, and so does a question. */
  private Parsed<Resolved> broken(String reason) {
    Optional<DomainName> domain =
        said.subject().indexOf('@') < 0
            ? DomainName.asked(said.subject())
            : SenderKeys.parse(said.subject()).map(SenderKeys::domain);
    if (domain.isEmpty()) {
      return Parsed.bad(reason);
    }
    Resolution resolution = new Resolution();
    resolution.notes.add(reason + "; lists are asked about what can be read: " + domain.get());
    return resolve(domain.get(), resolution);
  }

  /** A subject that only the content of a mail can have. */
  static Content content(Subject about) {
    List<ContentKey> keys =
        switch (about) {
          case WebUrl url -> List.of(key(Check.URL, url), key(Check.URL_HOST, url.host()));
          case Fingerprint print ->
              Stream.of(Check.ATTACHMENT, Check.SUBJECT, Check.BODY)
                  .map(check -> key(check, print))
                  .toList();
          case Likeness likeness -> List.of(key(Check.BODY, likeness));
          case IpPrefix _, DomainName _, NamePattern _, MailAddress _, AsNumber _ -> List.of();
        };
    return new Content(keys);
  }

  private static ContentKey key(Check check, ListKey key) {
    return new ContentKey(check, key, ContentKey.Place.OPEN);
  }

  /** One run of resolving; collects the first problem and the notes. */
  private final class Resolution {
    private final List<String> notes = new ArrayList<>();
    private @Nullable String problem;
    private @Nullable String recipientDomain;

    /** Resolves a question about a subject, or about a mail that has none. */
    Parsed<Resolved> resolve(@Nullable Subject about, Content content) {
      IpPrefix client = client(about);
      SenderKeys sender = sender(about);
      Facts keys =
          Facts.of(client, helo(), sender.forms(), sender.domain(), recipient())
              .withSeen(seen())
              .withContent(content);
      boolean senderKnown = said.from() != null || !(about == null || about instanceof IpPrefix);
      return problem == null
          ? Parsed.ok(new Resolved(about, keys, senderKnown, recipientDomain, List.copyOf(notes)))
          : Parsed.bad(problem);
    }

    private @Nullable IpPrefix client(@Nullable Subject about) {
      if (about instanceof IpPrefix prefix) {
        if (said.ip() != null) {
          problem = "the subject is the client already; leave --ip out";
        }
        return prefix;
      }
      return said.ip() == null
          ? null
          : take("--ip", IpAddress.parse(said.ip())).map(IpPrefix::host).orElse(null);
    }

    private SenderKeys sender(@Nullable Subject about) {
      if (said.from() != null && (about instanceof DomainName || about instanceof MailAddress)) {
        problem = "the subject is the sender already; leave --from out";
      }
      return switch (about) {
        case DomainName name -> new SenderKeys(List.of(), name);
        case MailAddress address -> SenderKeys.of(address);
        case IpPrefix _, NamePattern _, WebUrl _, Fingerprint _, Likeness _, AsNumber _ ->
            written(said.from());
        case null -> written(said.from());
      };
    }

    private SenderKeys written(@Nullable String sender) {
      if (sender == null || sender.isEmpty() || sender.equals("<>")) {
        return SenderKeys.NONE;
      }
      return SenderKeys.parse(bare(sender))
          .or(() -> take("--from", MailAddress.parse(bare(sender))).map(SenderKeys::of))
          .orElse(SenderKeys.NONE);
    }

    private @Nullable ListKey helo() {
      if (said.helo() == null) {
        return null;
      }
      Optional<ListKey> key = HeloKeys.parse(said.helo());
      if (key.isEmpty()) {
        notes.add("the HELO name gives no key: no two labels of it can be read");
      }
      return key.orElse(null);
    }

    private Seen seen() {
      String helo = said.helo();
      String name = said.clientName();
      Seen seen = Seen.NOTHING.withHelo(helo == null ? null : HeloKeys.address(helo).orElse(null));
      return name == null ? seen : seen.withName(name(name));
    }

    private ClientName name(String text) {
      return take("--client-name", DomainName.parse(text))
          .map(name -> new ClientName(name.toString(), ClientName.State.CONFIRMED))
          .orElse(ClientName.UNKNOWN);
    }

    private Facts.@Nullable Recipient recipient() {
      if (said.to() == null) {
        return null;
      }
      String text = bare(said.to());
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
        notes.add(NOT_OURS);
      }
      return new Facts.Recipient(local, own.orElse(""), own.isPresent());
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
