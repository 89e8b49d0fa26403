package io.bloomgate.config.control;

import io.bloomgate.config.control.ControlRequest.Audit;
import io.bloomgate.config.control.ControlRequest.ConfigReload;
import io.bloomgate.config.control.ControlRequest.Doctor;
import io.bloomgate.config.control.ControlRequest.Drain;
import io.bloomgate.config.control.ControlRequest.Explain;
import io.bloomgate.config.control.ControlRequest.FeedsAccept;
import io.bloomgate.config.control.ControlRequest.FeedsDisable;
import io.bloomgate.config.control.ControlRequest.FeedsEnable;
import io.bloomgate.config.control.ControlRequest.FeedsList;
import io.bloomgate.config.control.ControlRequest.FeedsRefresh;
import io.bloomgate.config.control.ControlRequest.FeedsRollback;
import io.bloomgate.config.control.ControlRequest.FeedsShow;
import io.bloomgate.config.control.ControlRequest.Health;
import io.bloomgate.config.control.ControlRequest.ListAdd;
import io.bloomgate.config.control.ControlRequest.ListCheck;
import io.bloomgate.config.control.ControlRequest.ListEdit;
import io.bloomgate.config.control.ControlRequest.ListImport;
import io.bloomgate.config.control.ControlRequest.ListName;
import io.bloomgate.config.control.ControlRequest.ListRemove;
import io.bloomgate.config.control.ControlRequest.ListShow;
import io.bloomgate.config.control.ControlRequest.Resume;
import io.bloomgate.config.control.ControlRequest.SetMode;
import io.bloomgate.config.control.ControlRequest.Status;
import io.bloomgate.config.control.ControlRequest.Tail;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.json.JsonValue.ObjectBuilder;
import io.bloomgate.config.settings.Check;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.config.settings.Quantities;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Requests to JSON objects and back; called by {@link ControlCodec} only. Pure. */
final class RequestJson {

  private RequestJson() {}

  static JsonObject write(ControlRequest request) {
    return switch (request) {
      case Status() -> command("status").build();
      case Health() -> command("health").build();
      case Explain r ->
          command("explain")
              .put("subject", r.subject())
              .put("helo", r.helo())
              .put("from", r.from())
              .put("ip", r.ip())
              .put("to", r.to())
              .build();
      case FeedsList() -> command("feeds.list").build();
      case FeedsShow(String name) -> command("feeds.show").put("name", name).build();
      case FeedsRefresh(List<String> names, boolean all, boolean force) ->
          command("feeds.refresh")
              .put("names", JsonValue.ofStrings(names))
              .put("all", all)
              .put("force", force)
              .build();
      case FeedsEnable(String name) -> command("feeds.enable").put("name", name).build();
      case FeedsDisable(String name, Duration duration) ->
          command("feeds.disable").put("name", name).put("for", text(duration)).build();
      case FeedsAccept(String name) -> command("feeds.accept").put("name", name).build();
      case FeedsRollback(String name, Long to) ->
          command("feeds.rollback")
              .put("name", name)
              .put("to", to == null ? null : Long.toString(to))
              .build();
      case ListAdd r -> add(r);
      case ListShow(ListName list, String match, long limit) ->
          command(list, "list")
              .put("match", match.isEmpty() ? null : match)
              .put("limit", text(limit))
              .build();
      case ListEdit r -> edit(r);
      case Audit(Instant since, long limit) ->
          command("audit").put("since", text(since)).put("limit", text(limit)).build();
      case ListRemove(ListName list, List<String> subjects) ->
          command(list, "remove").put("subjects", JsonValue.ofStrings(subjects)).build();
      case ListCheck(ListName list, String subject) ->
          command(list, "check").put("subject", subject).build();
      case ListImport r -> lines(r);
      case Tail(String verdict, String feed) ->
          command("tail").put("verdict", verdict).put("feed", feed).build();
      case ConfigReload() -> command("config.reload").build();
      case SetMode(Mode mode, Duration duration) ->
          command("mode").put("mode", key(mode)).put("for", text(duration)).build();
      case Doctor(boolean openRelay, boolean identity, boolean tls, boolean feeds) ->
          command("doctor")
              .put("open_relay", openRelay)
              .put("identity", identity)
              .put("tls", tls)
              .put("feeds", feeds)
              .build();
      case Drain() -> command("drain").build();
      case Resume() -> command("resume").build();
    };
  }

  private static JsonObject add(ListAdd r) {
    Check scope = r.scope();
    return command(r.list(), "add")
        .put("subjects", JsonValue.ofStrings(r.subjects()))
        .put("incident", r.incident())
        .put("from_cidr", r.fromCidr())
        .put("expires", text(r.expires()))
        .put("reason", r.reason())
        .put("scope", scope == null ? null : scope.key())
        .put("any_scope", r.anyScope())
        .put("force", r.force())
        .build();
  }

  private static JsonObject edit(ListEdit r) {
    return command(r.list(), "edit")
        .put("subjects", JsonValue.ofStrings(r.subjects()))
        .put("reason", r.reason())
        .put("expires", text(r.expires()))
        .put("for_ever", r.forEver())
        .build();
  }

  private static JsonObject lines(ListImport r) {
    return command(r.list(), "import")
        .put("file", r.file())
        .put("first_line", r.firstLine())
        .put("lines", JsonValue.ofStrings(r.lines()))
        .put("force", r.force())
        .build();
  }

  private static ObjectBuilder command(String name) {
    return JsonValue.object().put("command", name);
  }

  private static ObjectBuilder command(ListName list, String verb) {
    return command(list.name().toLowerCase(Locale.ROOT) + "." + verb);
  }

  private static @Nullable String text(@Nullable Duration duration) {
    return duration == null ? null : Quantities.text(duration);
  }

  private static @Nullable String text(@Nullable Instant time) {
    return time == null ? null : time.toString();
  }

  private static @Nullable String text(long limit) {
    return limit == Long.MAX_VALUE ? null : Long.toString(limit);
  }

  private static String key(Mode mode) {
    return mode.name().toLowerCase(Locale.ROOT);
  }

  static ControlRequest read(JsonObject object) throws MalformedException {
    Fields fields = new Fields(object);
    ControlRequest request = read(fields.text("command"), fields);
    fields.finish();
    return request;
  }

  private static ControlRequest read(String command, Fields f) throws MalformedException {
    return switch (command) {
      case "status" -> new Status();
      case "health" -> new Health();
      case "explain" ->
          new Explain(
              f.text("subject"),
              f.optionalText("helo"),
              f.optionalText("from"),
              f.optionalText("ip"),
              f.optionalText("to"));
      case "feeds.list" -> new FeedsList();
      case "feeds.show" -> new FeedsShow(f.text("name"));
      case "feeds.refresh" -> new FeedsRefresh(f.texts("names"), f.flag("all"), f.flag("force"));
      case "feeds.enable" -> new FeedsEnable(f.text("name"));
      case "feeds.disable" -> new FeedsDisable(f.text("name"), f.duration("for"));
      case "feeds.accept" -> new FeedsAccept(f.text("name"));
      case "feeds.rollback" -> new FeedsRollback(f.text("name"), version(f));
      case "tail" -> new Tail(f.optionalText("verdict"), f.optionalText("feed"));
      case "config.reload" -> new ConfigReload();
      case "doctor" ->
          new Doctor(f.flag("open_relay"), f.flag("identity"), f.flag("tls"), f.flag("feeds"));
      case "audit" -> new Audit(f.instant("since"), limit(f));
      case "drain" -> new Drain();
      case "resume" -> new Resume();
      case "mode" -> new SetMode(mode(f), f.duration("for"));
      default -> readList(command, f);
    };
  }

  private static @Nullable Long version(Fields f) throws MalformedException {
    String text = f.optionalText("to");
    if (text != null && !text.matches("[1-9][0-9]{0,17}")) {
      throw Fields.wrong("to", "the number of a version");
    }
    return text == null ? null : Long.valueOf(text);
  }

  private static long limit(Fields f) throws MalformedException {
    String text = f.optionalText("limit");
    if (text != null && !text.matches("[0-9]{1,18}")) {
      throw Fields.wrong("limit", "a number of entries");
    }
    return text == null ? Long.MAX_VALUE : Long.parseLong(text);
  }

  private static Mode mode(Fields f) throws MalformedException {
    Mode mode = f.word("mode", List.of(Mode.values()), RequestJson::key);
    if (mode == null) {
      throw Fields.wrong("mode", "observe, soft or enforce");
    }
    return mode;
  }

  private static ControlRequest readList(String command, Fields f) throws MalformedException {
    for (ListName list : ListName.values()) {
      String prefix = list.name().toLowerCase(Locale.ROOT) + ".";
      if (command.startsWith(prefix)) {
        return readList(list, command.substring(prefix.length()), f);
      }
    }
    throw unknownCommand();
  }

  private static ControlRequest readList(ListName list, String verb, Fields f)
      throws MalformedException {
    return switch (verb) {
      case "add" ->
          new ListAdd(
              list,
              f.texts("subjects"),
              f.optionalText("incident"),
              f.optionalText("from_cidr"),
              f.instant("expires"),
              f.textOr("reason", ""),
              f.word("scope", List.of(Check.values()), Check::key),
              f.flag("any_scope"),
              f.flag("force"));
      case "list" -> new ListShow(list, f.textOr("match", ""), limit(f));
      case "edit" ->
          new ListEdit(
              list,
              f.texts("subjects"),
              f.optionalText("reason"),
              f.instant("expires"),
              f.flag("for_ever"));
      case "remove" -> new ListRemove(list, f.texts("subjects"));
      case "check" -> new ListCheck(list, f.text("subject"));
      case "import" ->
          new ListImport(
              list, f.text("file"), f.number("first_line"), f.texts("lines"), f.flag("force"));
      default -> throw unknownCommand();
    };
  }

  private static MalformedException unknownCommand() {
    return new MalformedException(
        "the command is unknown here; are command line and gateway of one version?");
  }
}
