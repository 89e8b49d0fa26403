package io.bloomgate.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.blocklists.database.FeedStates;
import io.bloomgate.blocklists.file.DurableFiles;
import io.bloomgate.blocklists.workbench.WorkbenchTools;
import io.bloomgate.config.control.ControlCodec;
import io.bloomgate.config.control.ControlReply;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.settings.SettingsFile;
import io.bloomgate.config.settings.SettingsResult;
import io.bloomgate.config.settings.yaml.EffectiveValue;
import io.bloomgate.config.settings.yaml.EffectiveValue.InForce;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * What commands say, to the letter: {@code src/test/transcripts}, each played in a folder apart.
 * The README there explains the lines. {@code -Dgolden.write=true} writes the answers again; look
 * at the difference.
 */
class TranscriptTest {

  private static final Path TRANSCRIPTS = Path.of("src/test/transcripts");

  private static final Pattern COMMAND =
      Pattern.compile("\\$ ((?:[A-Z_]+=\\S* )*)(tty )?bloomgate ?(.*?)(?: \\| (count|grep (.*)))?");

  private static final Pattern WORD = Pattern.compile("(?:\"[^\"]*\"|'[^']*'|\\S)+");

  private static final Pattern RANGE = Pattern.compile("\\{(\\d+)\\.\\.(\\d+)}");

  /** What says something to the player, or belongs to such a line; all else is an answer. */
  private static final Pattern SAID = Pattern.compile("(#:|\\$|>|\\||<)( .*)?");

  @TempDir Path folder;

  @TestFactory
  Stream<DynamicTest> commandsSayWhatTheySaid() throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.list(TRANSCRIPTS)) {
      files = all.filter(file -> file.toString().endsWith(".txt")).sorted().toList();
    }
    return files.stream()
        .map(file -> DynamicTest.dynamicTest(file.getFileName().toString(), () -> play(file)));
  }

  private void play(Path file) throws IOException {
    String played;
    try (Stage stage = new Stage(Files.createDirectory(folder.resolve(file.getFileName())))) {
      played = stage.play(Files.readAllLines(file));
    }
    if (Boolean.getBoolean("golden.write")) {
      Files.writeString(file, played);
    }
    assertEquals(Files.readString(file), played);
  }

  /** The folder of one transcript, the gateway that answers there, and what is typed next. */
  private static final class Stage implements AutoCloseable {

    private final Path folder;
    private final Path socket;
    private @Nullable FakeGateway gateway;
    private String typed = "";
    private int kept;

    Stage(Path folder) {
      this.folder = folder;
      this.socket = folder.resolve("s");
    }

    String play(List<String> lines) throws IOException {
      StringBuilder played = new StringBuilder();
      List<String> said = lines.stream().filter(line -> SAID.matcher(line).matches()).toList();
      for (int i = 0; i < said.size(); i++) {
        String line = said.get(i);
        played.append(line).append('\n');
        if (line.startsWith("<")) {
          typed += String.join("\n", range(line.replaceFirst("^< ?", ""))) + "\n";
        } else if (line.startsWith("$ ")) {
          played.append(shown(command(line)));
        } else if (line.startsWith("> ")) {
          List<String> more = new ArrayList<>();
          while (i + 1 < said.size() && said.get(i + 1).startsWith("|")) {
            i++;
            played.append(said.get(i)).append('\n');
            String text = read(said.get(i).replaceFirst("^\\| ?", ""));
            more.addAll(line.equals("> lists") ? List.of(text) : range(text));
          }
          played.append(shown(act(read(line.substring(2)).split(" "), more)));
        }
      }
      return played.toString();
    }

    private String act(String[] words, List<String> more) throws IOException {
      Path path = folder.resolve(words.length > 1 ? words[1] : "");
      switch (words[0]) {
        case "write" ->
            Files.writeString(
                Files.createDirectories(path.getParent()).resolve(path.getFileName()),
                String.join("", more.stream().map(line -> line + "\n").toList()));
        case "link" -> Files.createSymbolicLink(path, folder.resolve(words[2]));
        case "folder" -> Files.createDirectories(path);
        case "damage" -> {
          byte[] octets = Files.readAllBytes(path);
          octets[Integer.parseInt(words[2])] ^= 1;
          Files.write(path, octets);
        }
        case "cut" ->
            Files.write(path, Arrays.copyOf(Files.readAllBytes(path), Integer.parseInt(words[2])));
        case "delete" -> DurableFiles.deleteTree(path);
        case "lists" ->
            LeftState.lists(
                state(),
                more.stream()
                    .map(line ->
                        Stream.of(line.split(" ")).flatMap(word -> range(word).stream()).toList())
                    .toList());
        case "allowed" -> LeftState.allow(state(), words[1]);
        case "known" ->
            LeftState.known(
                state(),
                words[1],
                words[2],
                Shell.NOW.minus(Duration.ofHours(Integer.parseInt(words[3]))));
        case "kept" ->
            LeftState.kept(
                state(),
                Shell.NOW.minus(Duration.ofHours(Integer.parseInt(words[1]))),
                "7K3Q9ZT2A" + kept++,
                List.of(words).subList(2, words.length));
        case "record" -> {
          try (FeedStates states = FeedStates.open(state(), _ -> {})) {
            states.put(words[1], FeedStates.Part.RECORD, ScriptedAnswers.item(words[2]).value());
          }
        }
        case "answers" -> answers(words.length > 1 ? words[1] : "0", more);
        case "runs" -> runs(path, words);
        case "asked" -> {
          return asked();
        }
        case "show" -> {
          return Files.readString(path);
        }
        case "files" -> {
          return files();
        }
        case "same" -> {
          return Files.mismatch(path, folder.resolve(words[2])) < 0 ? "yes\n" : "no\n";
        }
        default -> throw new IllegalArgumentException(words[0]);
      }
      return "";
    }

    private Path state() throws IOException {
      return Files.createDirectories(folder.resolve("state"));
    }

    /** From now on a gateway answers so, or with lines as they are, or none does any more. */
    private void answers(String end, List<String> more) throws IOException {
      close();
      if (end.equals("raw")) {
        gateway = FakeGateway.raw(socket, more.toArray(String[]::new));
      } else if (!end.equals("none")) {
        List<ControlReply> replies = new ArrayList<>();
        String.join("\n", more)
            .replace("\n  ", "")
            .lines()
            .filter(line -> !line.isEmpty())
            .forEach(line -> replies.add(reply(line)));
        if (end.matches("\\d+")) {
          replies.add(new ControlReply.Done(Integer.parseInt(end)));
        }
        gateway = FakeGateway.answering(socket, replies.toArray(ControlReply[]::new));
      }
    }

    /** From now on a gateway runs with this file, but for a value that something else has set. */
    private void runs(Path file, String[] words) throws IOException {
      List<String> values = new ArrayList<>();
      if (SettingsFile.load(file, Map.of()) instanceof SettingsResult.Loaded loaded) {
        for (EffectiveValue value : loaded.values()) {
          InForce held = InForce.of(value);
          String[] set = words.length > 2 ? words[2].split("=") : new String[] {""};
          boolean isSet = held.key().equals(set[0]);
          values.add(
              Json.write(
                  JsonRecords.of(
                      new InForce(
                          held.key(),
                          held.path(),
                          isSet ? set[1] : held.value(),
                          isSet ? words[3].replace('_', ' ') : value.origin().toString(),
                          held.changed(),
                          held.file()))));
        }
      }
      answers("0", values);
    }

    private static ControlReply reply(String line) {
      boolean whole = line.matches("\\{\"(item|progress|note|done|failed)\":.*");
      Parsed<ControlReply> reply =
          ControlCodec.decodeReply(whole ? line : "{\"item\":" + line + "}");
      return reply.toOptional().orElseThrow(() -> new IllegalArgumentException(reply + line));
    }

    /** The requests since that was last shown, without members that are null or false. */
    private String asked() {
      List<String> requests = new ArrayList<>();
      if (gateway != null) {
        gateway.asked().forEach(request -> requests.add(ControlCodec.encode(request)));
        gateway.asked().clear();
      }
      return requests.stream()
          .map(line -> line.replaceAll(",\"\\w+\":(null|false)(?=[,}])", "") + "\n")
          .collect(Collectors.joining());
    }

    private String files() throws IOException {
      StringBuilder all = new StringBuilder();
      try (Stream<Path> walked = Files.walk(folder)) {
        for (Path file : walked.filter(Files::isRegularFile).sorted().toList()) {
          String rights = PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
          all.append(rights.endsWith("------") ? "private " : "").append(folder.relativize(file));
          all.append(Files.isSymbolicLink(file) ? " -> " + Files.readSymbolicLink(file) : "");
          all.append('\n');
        }
      }
      return all.toString();
    }

    private String command(String line) {
      Matcher parts = COMMAND.matcher(line);
      if (!parts.matches()) {
        throw new IllegalArgumentException(line);
      }
      Map<String, String> environment =
          new HashMap<>(Map.of("BLOOMGATE_ADMIN__SOCKET", socket.toString()));
      Stream.of(parts.group(1).split(" "))
          .filter(one -> !one.isEmpty())
          .map(one -> one.split("=", 2))
          .forEach(one -> environment.put(one[0], read(one[1])));
      environment.remove("BLOOMGATE_ADMIN__SOCKET", "");
      String seed = environment.getOrDefault("SEED", "" + Shell.SEED);
      WorkbenchTools tools =
          new WorkbenchTools(
              () -> new SplittableRandom(Long.parseLong(seed)),
              () -> 0,
              Long.parseLong(environment.getOrDefault("MEMORY", "" + (1 << 28))));
      String[] words =
          WORD.matcher(parts.group(3))
              .results()
              .flatMap(word -> range(read(word.group().replaceAll("['\"]", ""))).stream())
              .toArray(String[]::new);
      byte[] in = read(typed).getBytes(UTF_8);
      typed = "";
      Shell.Result result = Shell.run(environment, in, parts.group(2) != null, tools, words);
      String errors = result.err().replaceAll("(?m)^(?=.)", "! ");
      String exit = result.exitCode() == 0 ? "" : "[exit " + result.exitCode() + "]\n";
      String out = result.out().replace(folder.toString(), "FOLDER");
      return filtered(out, parts.group(4), parts.group(5)) + errors + exit;
    }

    private static String filtered(String out, @Nullable String how, @Nullable String part) {
      if (how == null) {
        return out;
      }
      return how.equals("count")
          ? out.lines().count() + " lines\n"
          : out.lines()
              .filter(line -> Pattern.compile(part == null ? "" : part).matcher(line).find())
              .map(line -> line.replaceAll("(?<=\\S) {2,}", "  ") + "\n")
              .collect(Collectors.joining());
    }

    /** The texts for each number of {@code {1..9}} in one. */
    private static List<String> range(String text) {
      Matcher range = RANGE.matcher(text);
      return range.find()
          ? IntStream.rangeClosed(
                  Integer.parseInt(range.group(1)), Integer.parseInt(range.group(2)))
              .mapToObj(i -> range.replaceAll("" + i))
              .toList()
          : List.of(text);
    }

    private String read(String text) {
      StringBuilder octets = new StringBuilder();
      text.chars().forEach(c -> octets.append((char) (c >= 0x2400 && c < 0x2420 ? c - 0x2400 : c)));
      return octets.toString().replace("FOLDER", folder.toString());
    }

    /**
     * The folder has another name in each run, control characters have their pictures, and the last
     * digits of a rate differ between machines.
     */
    private String shown(String text) {
      String named =
          text.replace(folder.toString(), "FOLDER").replaceAll("(\\d\\.\\d{6})\\d{5,}", "$1..");
      StringBuilder shown = new StringBuilder();
      named.chars().forEach(c -> shown.append((char) (c < ' ' && c != '\n' ? 0x2400 + c : c)));
      return shown.isEmpty() || named.endsWith("\n") ? shown.toString() : shown + "\\\n";
    }

    @Override
    public void close() throws IOException {
      if (gateway != null) {
        gateway.close();
        Files.deleteIfExists(socket);
        gateway = null;
      }
    }
  }
}
