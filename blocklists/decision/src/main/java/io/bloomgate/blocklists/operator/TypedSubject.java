package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.campaign.SubjectPrint;
import io.bloomgate.config.name.AsNumber;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.name.Subject;
import io.bloomgate.config.name.WebUrl;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Something that a mail carries, as a person names it with an option of {@code allow} and {@code
 * block}: {@code --url}, {@code --sha256}, {@code --subject}, {@code --from-header}; or the name of
 * its client, {@code --client-name}. Immutable; made by the command line.
 *
 * @param subject of the entry
 * @param scope of the entry
 * @param reason what the reason of an entry begins with: a fingerprint does not show what it is of
 */
public record TypedSubject(Subject subject, Set<Check> scope, String reason) {

  private static final Set<Check> HOSTS = Set.of(Check.URL_HOST);
  private static final Set<Check> FROM_HEADER = Set.of(Check.FROM, Check.FROM_DOMAIN);

  /** Begins the reason of an entry of a subject; its text follows. */
  private static final String SUBJECT = "subject: ";

  /** Ends the text where another reason follows. */
  private static final String MORE = "; ";

  private static final Pattern ENCODED_WORD =
      Pattern.compile("=\\?[^?\\s]++\\?[BbQq]\\?[^?]*+\\?=");

  public TypedSubject {
    scope = Set.copyOf(scope);
  }

  private TypedSubject(Subject subject, Check scope) {
    this(subject, Set.of(scope), "");
  }

  /** A URL with a path, which means itself; or a host, which means every URL there and below. */
  public static Parsed<TypedSubject> url(String text) {
    Optional<TypedSubject> host = host(text);
    if (host.isPresent()) {
      return Parsed.ok(host.get());
    }
    return WebUrl.parse(text)
        .map(url -> url.isHostOnly() ? wholeHost(url) : new TypedSubject(url, Check.URL));
  }

  private static Optional<TypedSubject> host(String text) {
    Optional<TypedSubject> address =
        IpAddress.parse(text)
            .toOptional()
            .map(one -> new TypedSubject(IpPrefix.host(one), Check.URL_HOST));
    return address.isPresent()
        ? address
        : DomainName.parse(text).toOptional().map(name -> new TypedSubject(name, Check.URL_HOST));
  }

  private static TypedSubject wholeHost(WebUrl url) {
    Subject host =
        switch (url.host()) {
          case DomainName name -> name;
          case IpAddress address -> IpPrefix.host(address);
          case MailAddress _, WebUrl _, Fingerprint _, Likeness _, AsNumber _ -> url;
        };
    return new TypedSubject(host, Check.URL_HOST);
  }

  /** The SHA-256 value of an attachment, 64 hexadecimal digits. */
  public static Parsed<TypedSubject> sha256(String text) {
    return Fingerprint.parse(text).map(print -> new TypedSubject(print, Check.ATTACHMENT));
  }

  /** The subject of a mail; case, punctuation and numbers make no difference. */
  public static Parsed<TypedSubject> subject(String text) {
    if (ENCODED_WORD.matcher(text).find()) {
      return Parsed.bad("this is encoded (RFC 2047); write the subject as people read it");
    }
    return SubjectPrint.of(text)
        .map(print -> Parsed.ok(new TypedSubject(print, Set.of(Check.SUBJECT), SUBJECT + text)))
        .orElseGet(() ->
            Parsed.bad(
                "a subject of fewer than "
                    + SubjectPrint.LEAST_LETTERS
                    + " letters says too little"));
  }

  /** The reason of an entry for which a person gives this one, which may be empty. */
  public String reasonWith(String given) {
    return reason.isEmpty() || given.isEmpty() ? reason + given : reason + MORE + given;
  }

  /**
   * The reason of an entry that gets another one: the text of its subject stays in front.
   *
   * @param before the entry with its reason until now
   */
  public static String newReason(NewEntry before, String given) {
    String text = textOfSubject(before);
    if (text.isEmpty() || given.startsWith(text)) {
      return given;
    }
    return given.isEmpty() ? text : text + MORE + given;
  }

  /** The begin of a reason that shows the text of this subject; empty when it shows none. */
  private static String textOfSubject(NewEntry entry) {
    String reason = entry.reason();
    if (!entry.scope().equals(Set.of(Check.SUBJECT)) || !reason.startsWith(SUBJECT)) {
      return "";
    }
    int end = SUBJECT.length();
    while (end < reason.length()) {
      int next = reason.indexOf(MORE, end + 1);
      end = next < 0 ? reason.length() : next;
      boolean whole =
          SubjectPrint.of(reason.substring(SUBJECT.length(), end))
              .filter(print -> print.equals(entry.subject()))
              .isPresent();
      if (whole) {
        return reason.substring(0, end);
      }
    }
    return "";
  }

  /** A mail address of the field From, or a domain and all below it. */
  public static Parsed<TypedSubject> fromHeader(String text) {
    return text.indexOf('@') > 0
        ? MailAddress.parse(text).map(address -> new TypedSubject(address, Check.FROM))
        : DomainName.parse(text.startsWith("@") ? text.substring(1) : text)
            .map(name -> new TypedSubject(name, Check.FROM_DOMAIN));
  }

  /** The name of a host, or {@code .domain} for all below; DNS has to confirm it for the client. */
  public static Parsed<TypedSubject> clientName(String text) {
    return Subject.parseEntry(text).map(name -> new TypedSubject(name, Check.CLIENT_NAME));
  }

  /**
   * The option that names a subject of this scope, so that the command means the same entry; empty
   * where no option does.
   */
  public static Optional<String> option(Subject subject, Set<Check> scope) {
    if (scope.size() > 1) {
      return Optional.empty();
    }
    boolean isUrl = subject instanceof WebUrl url && !url.isHostOnly();
    boolean isHost =
        subject instanceof DomainName || (subject instanceof IpPrefix one && one.isHost());
    String option =
        switch (scope.isEmpty() ? Check.URL : scope.iterator().next()) {
          case URL -> isUrl ? "--url" : "";
          case URL_HOST -> isHost ? "--url" : "";
          case ATTACHMENT -> subject instanceof Fingerprint ? "--sha256" : "";
          case FROM -> subject instanceof MailAddress ? "--from-header" : "";
          case FROM_DOMAIN -> subject instanceof DomainName ? "--from-header" : "";
          case CLIENT_NAME -> "--client-name";
          case CLIENT_IP, HELO, SENDER, SENDER_DOMAIN, ASN, REPLY_TO_DOMAIN, SUBJECT, BODY -> "";
        };
    return Optional.of(option).filter(name -> !name.isEmpty());
  }

  /**
   * The texts under which lists are asked what holds for it: a URL is covered by entries of its
   * host too.
   */
  public List<String> asked() {
    return subject instanceof WebUrl url
        ? List.of(url.written(), url.host().toString())
        : List.of(subject.written());
  }

  /**
   * True when an entry that covers it is about the same thing: an entry of a domain alone is about
   * senders.
   *
   * @param entryScope words of the entry's scope; empty for none
   */
  public boolean isMeantBy(Subject entrySubject, Set<Check> entryScope) {
    if (entryScope.isEmpty()) {
      return entrySubject instanceof WebUrl || entrySubject instanceof Fingerprint;
    }
    if (entryScope.equals(OperatorEntry.OF_CLIENT_NAME)
        && entrySubject instanceof DomainName
        && !entrySubject.equals(subject)) {
      return false;
    }
    Set<Check> wanted = EnumSet.copyOf(scope);
    if (subject instanceof WebUrl) {
      wanted.addAll(HOSTS);
    }
    if (subject instanceof MailAddress) {
      wanted.addAll(FROM_HEADER);
    }
    return !Collections.disjoint(wanted, entryScope);
  }
}
