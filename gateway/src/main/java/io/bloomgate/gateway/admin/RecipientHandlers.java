package io.bloomgate.gateway.admin;

import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.decision.Recipients;
import io.bloomgate.blocklists.fleet.SharedLists.Confirmation;
import io.bloomgate.blocklists.operator.OperatorLists.Origin;
import io.bloomgate.blocklists.operator.OperatorListsException;
import io.bloomgate.blocklists.operator.RecipientEntry;
import io.bloomgate.blocklists.operator.RecipientEntry.Wish;
import io.bloomgate.blocklists.operator.RecipientLists;
import io.bloomgate.blocklists.operator.RecipientLists.Stored;
import io.bloomgate.config.control.ControlRequest.RecipientCheck;
import io.bloomgate.config.control.ControlRequest.RecipientRemove;
import io.bloomgate.config.control.ControlRequest.RecipientSet;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.ObjectBuilder;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.settings.RecipientProfile;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.gateway.admin.ReplySender.RefusedException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * {@code recipient}: which recipients have which profile of the settings. What is stored is durable
 * and counts for each RCPT behind the answer. Called on the threads of control connections.
 */
record RecipientHandlers(GatewayControl gateway, FleetHandler fleet) {

  private RecipientLists lists() {
    return gateway.operator().recipients();
  }

  private Recipients recipients() {
    return gateway.blocklists().policy().recipients();
  }

  private Settings settings() {
    return gateway.blocklists().settings();
  }

  /** Stores the good lines as one transaction, and names the others; what was typed is all good. */
  void set(RecipientSet request, ReplySender answer)
      throws OperatorListsException, RefusedException {
    boolean typed = request.file().isEmpty();
    List<Wish> wishes = new ArrayList<>();
    int number = request.firstLine();
    int exitCode = ReplySender.OK;
    for (String line : request.lines()) {
      String problem = read(line, wishes);
      if (typed && !problem.isEmpty()) {
        throw RefusedException.usage(problem, "nothing was changed");
      } else if (!problem.isEmpty()) {
        answer.note(request.file() + ":" + number + ": " + problem);
        exitCode = ReplySender.PARTLY;
      }
      number++;
    }
    Map<String, RecipientEntry> there = gateway.operator().view().recipients();
    long news = wishes.stream().filter(wish -> !there.containsKey(wish.subject())).count();
    if (news > 0 && there.size() + news > RecipientLists.MAX_ENTRIES) {
      throw RefusedException.usage(
          "there may be " + RecipientLists.MAX_ENTRIES + " entries",
          "give whole domains a profile");
    }
    String verb = typed ? "set" : "import " + request.file();
    List<Stored> stored = lists().set(wishes, origin(verb, answer));
    Optional<Confirmation> confirmed = fleet.confirmed();
    for (Stored one : stored) {
      String change = one.change().key();
      answer.item(FleetHandler.with(confirmed, entry(one.entry()).put("change", change)));
    }
    FleetHandler.note(confirmed, answer);
    wishes.stream()
        .filter(this::endsExemption)
        .map(Wish::subject)
        .forEach(subject ->
            answer.note(
                subject
                    + " is exempt in the settings, and has this profile instead: people who are"
                    + " refused by mistake may no longer reach anybody there"));
    answer.exit(exitCode);
  }

  /** True when mail may be refused for a recipient to whom people write who are refused. */
  private boolean endsExemption(Wish wish) {
    Map<String, RecipientProfile> lines = settings().recipients();
    String subject = wish.subject();
    RecipientProfile line = lines.get(subject);
    if (line == null) {
      line = lines.get(subject.substring(0, subject.lastIndexOf('@') + 1));
    }
    RecipientProfile wanted = settings().profiles().get(wish.profile());
    return line != null && line.isExempt() && wanted != null && !wanted.isSpared();
  }

  /** Says what is wrong with a line; empty when it is among the wishes now, or says nothing. */
  private String read(String line, List<Wish> wishes) {
    return switch (RecipientEntry.parse(line)) {
      case Parsed.Bad<Optional<Wish>>(String reason) -> reason;
      case Parsed.Ok<Optional<Wish>>(Optional<Wish> wish, var ignored) -> {
        String problem = wish.map(this::problem).orElse("");
        wish.filter(_ -> problem.isEmpty()).ifPresent(wishes::add);
        yield problem;
      }
    };
  }

  /** Says why settings and entry do not fit; empty where they do. */
  private String problem(Wish wish) {
    if (!settings().profiles().containsKey(wish.profile())) {
      return "there is no profile "
          + wish.profile()
          + " in the settings, which have "
          + String.join(", ", settings().profiles().keySet())
          + "; write it there, below `profiles:`";
    }
    if (wish.profile().equals(RecipientProfile.TRAP.name())) {
      return "a trap is named in traps.addresses of the settings";
    }
    if (settings().traps().addresses().contains(wish.subject())) {
      return wish.subject() + " is a trap in traps.addresses; take it out there first";
    }
    return RecipientProfile.isOurs(wish.subject(), settings())
        ? ""
        : wish.subject() + " is not in domains, so its mail is refused as relaying";
  }

  private static Origin origin(String verb, ReplySender answer) {
    return new Origin(answer.user(), "recipient " + verb);
  }

  private ObjectBuilder entry(RecipientEntry entry) {
    return JsonValue.object()
        .put("id", entry.id())
        .put("list", "recipient")
        .put("subject", entry.subject())
        .put("profile", entry.profile())
        .put("in_settings", settings().profiles().containsKey(entry.profile()))
        .put("reason", entry.reason())
        .put("author", entry.author())
        .put("created", entry.created().toString())
        .put("expires", EntryJson.text(entry.expires()))
        .put("expired", entry.expiredAt(gateway.now()))
        .put("text", entry.text());
  }

  /** Sends the entries by subject, and then the lines of the settings. */
  void list(ReplySender answer) {
    Map<String, RecipientEntry> all = gateway.operator().view().recipients();
    answer.items(
        all.values().stream()
            .sorted(Comparator.comparing(RecipientEntry::subject))
            .map(entry -> entry(entry).build())
            .toList());
    answer.items(
        settings().recipients().entrySet().stream()
            .map(line ->
                JsonValue.object()
                    .put("subject", line.getKey())
                    .put("profile", line.getValue().name())
                    .put("in_settings", true)
                    .put("author", "settings")
                    .build())
            .toList());
    recipients().alarm(gateway.now()).ifPresent(alarm -> answer.note("warning: " + alarm));
  }

  void remove(RecipientRemove request, ReplySender answer)
      throws OperatorListsException, RefusedException {
    List<String> wanted =
        request.subjects().stream()
            .map(text -> RecipientProfile.entry(text).toOptional().orElse(text))
            .toList();
    List<RecipientEntry> gone = lists().remove(wanted, origin("remove", answer));
    if (gone.isEmpty()) {
      for (String one : wanted) {
        RecipientProfile line = settings().recipients().get(one);
        if (line != null) {
          throw RefusedException.usage(
              one + " is a line of the settings",
              line.isTrap()
                  ? "take it out of traps.addresses, and `bloomgate config reload`"
                  : "take it out there, and `bloomgate config reload`; or `bloomgate recipient set "
                      + one
                      + " default`");
        }
      }
      throw RefusedException.usage("no such entry", "`bloomgate recipient list` shows them");
    }
    Optional<Confirmation> there = fleet.confirmed();
    for (RecipientEntry entry : gone) {
      answer.item(FleetHandler.with(there, entry(entry).put("change", "removed")));
    }
    FleetHandler.note(there, answer);
    boolean all = gone.size() == wanted.size();
    if (!all) {
      answer.note(wanted.size() - gone.size() + " of them were not found");
    }
    answer.exit(all ? ReplySender.OK : ReplySender.PARTLY);
  }

  /** Says which profile mail for an address has, and why. */
  void check(RecipientCheck request, ReplySender answer) throws RefusedException {
    String address =
        RecipientProfile.entry(request.recipient())
            .toOptional()
            .filter(text -> text.indexOf('@') > 0 && !text.endsWith("@"))
            .orElseThrow(() ->
                RefusedException.usage(
                    "this is no mail address", "name one, for example sales@example.com"));
    if (!RecipientProfile.isOurs(address, settings())) {
      answer.note(address + " is not in domains, so its mail is refused as relaying");
    }
    int at = address.lastIndexOf('@');
    Recipients.Own own =
        recipients()
            .of(
                new Facts.Recipient(address.substring(0, at), address.substring(at + 1), true),
                gateway.now());
    ObjectBuilder item = JsonValue.object().put("recipient", address);
    if (own == null) {
      item.put("profile", "default").put("why", "default: no entry names it");
    } else if (own.named() == null) {
      item.put("profile", own.profile().name()).put("why", "exempt (policy.exempt_recipients)");
    } else {
      item.put("profile", own.profile().name())
          .put("entry", own.named().entry())
          .put("why", own.named().words());
    }
    answer.item(item);
    answer.exit(own == null ? ReplySender.NO : ReplySender.OK);
  }
}
