package io.bloomgate.cli.command;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/** Writes the annotations of all commands for {@link WrittenSpec}. Run by the build; one thread. */
public final class SpecWriter {

  private final ByteArrayOutputStream octets = new ByteArrayOutputStream();
  private final DataOutputStream out = new DataOutputStream(octets);

  /** The annotated fields and parameters, each with the way to it. */
  private final Map<AnnotatedElement, List<String>> ways = new HashMap<>();

  private final List<List<String>> specs = new ArrayList<>();
  private final List<List<String>> unmatched = new ArrayList<>();

  private SpecWriter() {}

  /** The files of the commands of a tree, by the names that {@link WrittenSpec} looks for. */
  public static Map<String, byte[]> files(CommandLine tree) throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    add(tree, files);
    return files;
  }

  private static void add(CommandLine command, Map<String, byte[]> files) throws IOException {
    Object user =
        command.getCommand() instanceof WrittenSpec.Call call
            ? call.method()
            : command.getCommand();
    CommandSpec spec = CommandSpec.forAnnotatedObject(user);
    if (spec.argGroups().isEmpty()) {
      SpecWriter writer = new SpecWriter();
      if (user instanceof Method method) {
        writer.arguments(method);
        writer.write(spec, method, method.getParameters());
        files.put(
            WrittenSpec.file(method.getDeclaringClass(), method.getName()),
            writer.octets.toByteArray());
      } else {
        writer.find(user.getClass(), List.of());
        writer.write(spec, user.getClass());
        files.put(WrittenSpec.file(user.getClass(), ""), writer.octets.toByteArray());
      }
    }
    for (CommandLine below : command.getSubcommands().values()) {
      add(below, files);
    }
  }

  /** Finds the annotated fields of a class, those of its mixins too. */
  private void find(Class<?> type, List<String> way) {
    for (Class<?> each = type; each != Object.class; each = each.getSuperclass()) {
      for (Field field : each.getDeclaredFields()) {
        List<String> there =
            Stream.concat(way.stream(), Stream.of(each.getName() + "." + field.getName())).toList();
        ways.put(field, there);
        if (field.isAnnotationPresent(Mixin.class)) {
          find(field.getType(), there);
        }
        if (field.isAnnotationPresent(Spec.class)) {
          specs.add(there);
        }
        if (field.isAnnotationPresent(Unmatched.class)) {
          unmatched.add(there);
        }
      }
    }
  }

  /** Writes what the arguments of a method are at first: false, nothing, or a mixin of a class. */
  private void arguments(Method method) throws IOException {
    Parameter[] parameters = method.getParameters();
    out.writeByte(parameters.length);
    for (int i = 0; i < parameters.length; i++) {
      Class<?> type = parameters[i].getType();
      List<String> way = List.of(String.valueOf(i));
      ways.put(parameters[i], way);
      if (parameters[i].isAnnotationPresent(Mixin.class)) {
        find(type, way);
        out.writeUTF(type.getName());
      } else {
        out.writeUTF(type == boolean.class ? "boolean" : "");
      }
    }
  }

  private void write(CommandSpec spec, AnnotatedElement annotated, Parameter... parameters)
      throws IOException {
    Command command = annotated.getAnnotation(Command.class);
    boolean named = command != null && !command.name().equals("<main class>");
    out.writeUTF(named ? command.name() : "");
    texts(command == null ? new String[0] : command.description());
    texts(command == null ? new String[0] : command.footer());
    out.writeBoolean(command != null && command.hidden());
    out.writeUTF(command == null ? "" : command.exitCodeListHeading());
    texts(command == null ? new String[0] : command.exitCodeList());
    ways(specs);
    ways(unmatched);
    out.writeByte(spec.options().size());
    for (OptionSpec option : spec.options()) {
      AnnotatedElement place = place(option, parameters);
      Option as = Objects.requireNonNull(place.getAnnotation(Option.class), option.toString());
      texts(as.names());
      out.writeBoolean(as.usageHelp());
      out.writeBoolean(as.negatable());
      argument(option, place, as.description(), as.split(), as.scope());
      made(as.converter());
      made(as.completionCandidates());
    }
    out.writeByte(spec.positionalParameters().size());
    for (PositionalParamSpec parameter : spec.positionalParameters()) {
      AnnotatedElement place = place(parameter, parameters);
      Parameters as =
          Objects.requireNonNull(place.getAnnotation(Parameters.class), parameter.toString());
      out.writeUTF(parameter.index().toString());
      argument(parameter, place, as.description(), as.split(), as.scope());
      made(as.converter());
      made(as.completionCandidates());
    }
  }

  /** The field or the parameter of an argument; the parser does not show its own parameters. */
  private static AnnotatedElement place(ArgSpec arg, Parameter... parameters) {
    return arg.userObject() instanceof Field field
        ? field
        : Stream.of(parameters)
            .filter(each -> arg.userObject().toString().endsWith(":" + each.getName()))
            .findFirst()
            .orElseThrow();
  }

  private void argument(
      ArgSpec arg, AnnotatedElement place, String[] description, String split, ScopeType scope)
      throws IOException {
    texts(Objects.requireNonNull(ways.get(place), arg.toString()).toArray(String[]::new));
    out.writeUTF(arg.type().getName());
    out.writeUTF(arg.isMultiValue() ? arg.auxiliaryTypes()[0].getName() : "");
    out.writeUTF(arg.arity().isUnspecified() ? "" : arg.arity().toString());
    out.writeUTF(arg.paramLabel());
    out.writeBoolean(arg.hideParamSyntax());
    texts(description);
    out.writeUTF(split);
    out.writeUTF(Objects.requireNonNullElse(arg.defaultValue(), ""));
    out.writeBoolean(arg.required());
    out.writeBoolean(arg.hidden());
    out.writeBoolean(scope == ScopeType.INHERIT);
  }

  /** Writes the class of what converts or completes a value, if there is one. */
  private void made(Class<?>... types) throws IOException {
    boolean own = types.length > 0 && types[0].getName().startsWith("io.bloomgate.");
    out.writeUTF(own ? types[0].getName() : "");
  }

  private void ways(List<List<String>> ways) throws IOException {
    out.writeByte(ways.size());
    for (List<String> way : ways) {
      texts(way.toArray(String[]::new));
    }
  }

  private void texts(String... texts) throws IOException {
    out.writeByte(texts.length);
    for (String text : texts) {
      out.writeUTF(text);
    }
  }
}
