package io.bloomgate.cli;

import io.bloomgate.blocklists.content.ContentKey;
import io.bloomgate.blocklists.content.MimeExcess;
import io.bloomgate.blocklists.decision.Content;
import io.bloomgate.blocklists.explain.CarriedText;
import io.bloomgate.blocklists.explain.Explanation;
import io.bloomgate.blocklists.explain.Question;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonArray;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * {@code explain} of a mail: reads it, asks the lists for what it carries, and prints the answer.
 * The gateway gets keys, never the mail. Used by {@link ExplainCommand}.
 */
final class ExplainMail {

  /** Octets of the keys in one request, 900 KiB; a request has at most 1 MiB. */
  static final int MOST_REQUEST_OCTETS = 900 << 10;

  private final Invocation in;
  private final String file;

  /** Something of the session was said beside the mail. */
  private boolean hasSession;

  /** About a file, or standard input. */
  ExplainMail(Invocation in, String file) {
    this.in = in;
    this.file = file;
  }

  /**
   * Answers and prints; the result is the exit code.
   *
   * @param session makes the request of what is said about the session, the keys and the signs
   */
  int answer(BiFunction<List<String>, List<String>, ControlRequest.ExplainMail> session)
      throws CliException {
    ScannedMail mail = ScannedMail.read(in, file);
    ControlRequest.ExplainMail asked = session.apply(List.of(), List.of());
    hasSession = asked.ip() != null || asked.helo() != null || asked.from() != null;
    return in.askOrRead(() -> online(session, sendable(mail)), () -> offline(asked, mail));
  }

  private int online(
      BiFunction<List<String>, List<String>, ControlRequest.ExplainMail> session, ScannedMail mail)
      throws CliException {
    List<JsonObject> items = new ArrayList<>();
    int exitCode =
        in.collect(
            session.apply(
                mail.keys().stream().map(CarriedText::of).toList(),
                mail.signs().stream().map(CarriedText::of).toList()),
            items::add);
    return items.isEmpty() ? exitCode : show(mail, items.getFirst());
  }

  /** The mail with as many keys as one request takes. */
  static ScannedMail sendable(ScannedMail mail) {
    int octets = 0;
    int fit = 0;
    for (ContentKey key : mail.keys()) {
      String json = Json.write(JsonValue.of(CarriedText.of(key)));
      octets += json.getBytes(StandardCharsets.UTF_8).length + 1;
      if (octets > MOST_REQUEST_OCTETS) {
        return mail.withKeys(
            mail.keys().subList(0, fit),
            "keys behind the first " + fit + ", which fill one request; --offline asks for all");
      }
      fit++;
    }
    return mail;
  }

  private int offline(ControlRequest.ExplainMail session, ScannedMail mail) throws CliException {
    return OfflineExplain.answer(
        in,
        Question.session(session),
        (question, lists) -> lists.explainer().explainMail(question, mail.keys(), mail.signs()),
        explanation -> show(mail, explanation.toJson()));
  }

  private int show(ScannedMail mail, JsonObject said) {
    JsonObject answer = whole(file, mail, said);
    in.output()
        .item(
            answer,
            (item, out) -> {
              MailText.show(item, out, in.options().verbose);
              if (!hasSession) {
                out.line(
                    "  not asked: client, HELO and envelope sender, which are not in the file;"
                        + " --ip, --helo and --from say them");
              }
            });
    return Explanation.refuses(answer) ? ExitCode.NO : ExitCode.OK;
  }

  /**
   * The answer as one object.
   *
   * @param name of the mail, as typed
   * @param said what the lists say of its keys
   */
  static JsonObject whole(String name, ScannedMail mail, JsonObject said) {
    boolean byShape = mail.excess() != null && !said.text("verdict").orElse("").equals("reject");
    JsonValue.ObjectBuilder json = JsonValue.object().putAll(said).put("subject", name);
    if (said.elements("listings").isEmpty()) {
      json.put("kind", "mail");
    }
    if (byShape) {
      // The shape is refused whatever lists say, and no entry of a list lifts that.
      json.put("verdict", "reject")
          .put("stage", "data")
          .put("undo", JsonValue.NULL)
          .put("undo_wider", new JsonArray(List.of()));
    }
    return json.put("keys", keys(mail.keys(), said))
        .put("signs", new JsonArray(mail.signs().stream().map(ExplainMail::sign).toList()))
        .put("not_looked_at", JsonValue.ofStrings(mail.skipped()))
        .put("shape", shape(mail))
        .build();
  }

  private static JsonValue sign(Content.Shown shown) {
    return JsonValue.object().put("sign", shown.sign().key()).put("seen", shown.seen()).build();
  }

  private static JsonArray keys(List<ContentKey> keys, JsonObject said) {
    Map<Long, JsonObject> about = new HashMap<>();
    said.objects("keys")
        .forEach(one -> one.number("number").ifPresent(number -> about.put(number, one)));
    JsonObject nothing = JsonValue.object().build();
    List<JsonValue> all = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      ContentKey key = keys.get(i);
      JsonObject one = about.getOrDefault((long) i, nothing);
      all.add(
          JsonValue.object()
              .put("check", key.check().key())
              .put("key", key.key().toString())
              .put("place", key.place().key())
              .put("listings", new JsonArray(one.elements("listings")))
              .put("allow", one.get("allow").orElse(JsonValue.NULL))
              .build());
    }
    return new JsonArray(all);
  }

  private static JsonObject shape(ScannedMail mail) {
    MimeExcess excess = mail.excess();
    JsonValue limit =
        excess == null
            ? JsonValue.NULL
            : JsonValue.object()
                .put("name", "limits.mime." + excess.what().key())
                .put("value", excess.limit())
                .build();
    return JsonValue.object()
        .put("parts", mail.parts())
        .put("depth", mail.depth())
        .put("limit", limit)
        .build();
  }
}
