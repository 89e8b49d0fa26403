package io.bloomgate.cli.command;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.IGetter;
import picocli.CommandLine.Model.ISetter;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UnmatchedArgsBinding;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ScopeType;

/**
 * The annotations of one command as {@link SpecWriter} wrote them at the build: Java makes a class
 * for each kind of annotation that is read, which takes longer than most commands do. Used while
 * the tree is built; one thread.
 */
final class WrittenSpec {

  /** The kinds of values that have no class of a name. */
  private static final Map<String, Class<?>> PRIMITIVES =
      Map.of(
          "boolean", boolean.class, "int", int.class, "long", long.class, "double", double.class);

  private final DataInputStream in;

  /** The object of the annotated class, or the arguments of the annotated method. */
  private final Object root;

  private WrittenSpec(DataInputStream in, Object root) {
    this.in = in;
    this.root = root;
  }

  /** The name of the file of a command. */
  static String file(Class<?> type, String method) {
    return type.getName() + (method.isEmpty() ? "" : "." + method);
  }

  /** Finds a file among the classes, where the build writes it. */
  private static @Nullable InputStream find(String file) {
    return WrittenSpec.class.getResourceAsStream("specs/" + file);
  }

  /** The command of an object; from its annotations where nothing was written. */
  static CommandLine of(Object command) {
    return of(command, WrittenSpec::find);
  }

  /** The command that is a method of this name of a group. */
  static CommandLine of(Object group, String method) {
    return of(group, method, WrittenSpec::find);
  }

  /**
   * The command of an object.
   *
   * @param files finds a file by its name
   */
  static CommandLine of(Object command, Function<String, @Nullable InputStream> files) {
    try (InputStream file = files.apply(file(command.getClass(), ""))) {
      return file == null
          ? new CommandLine(command)
          : new WrittenSpec(new DataInputStream(file), command).read(command);
    } catch (IOException | ReflectiveOperationException e) {
      throw new IllegalStateException("the annotations of " + command.getClass(), e);
    }
  }

  /** The command that is a method of a group. */
  static CommandLine of(Object group, String name, Function<String, @Nullable InputStream> files) {
    Method method =
        Arrays.stream(group.getClass().getDeclaredMethods())
            .filter(each -> each.getName().equals(name))
            .findFirst()
            .orElseThrow();
    method.setAccessible(true);
    try (InputStream file = files.apply(file(group.getClass(), name))) {
      if (file == null) {
        return new CommandLine(method);
      }
      DataInputStream in = new DataInputStream(file);
      List<@Nullable Object> arguments = new ArrayList<>();
      for (int count = in.readByte(); count > 0; count--) {
        String type = in.readUTF();
        arguments.add(type.equals("boolean") ? false : made(type));
      }
      return new WrittenSpec(in, arguments).read(new Call(group, method, arguments));
    } catch (IOException | ReflectiveOperationException e) {
      throw new IllegalStateException("the annotations of " + method, e);
    }
  }

  /** A call of a method with what the command line has put into its arguments. */
  record Call(Object group, Method method, List<@Nullable Object> arguments)
      implements Callable<Object> {
    @Override
    public Object call() throws Exception {
      try {
        return method.invoke(group, arguments.toArray());
      } catch (InvocationTargetException e) {
        throw e.getCause() instanceof Exception cause ? cause : e;
      }
    }
  }

  private CommandLine read(Object command) throws IOException, ReflectiveOperationException {
    CommandSpec spec = CommandSpec.wrapWithoutInspection(command);
    String name = in.readUTF();
    if (!name.isEmpty()) {
      spec.name(name);
    }
    UsageMessageSpec usage = spec.usageMessage();
    usage.description(texts()).footer(texts()).hidden(in.readBoolean());
    usage.exitCodeListHeading(in.readUTF()).exitCodeList(UsageMessageSpec.keyValuesMap(texts()));
    for (int specs = in.readByte(); specs > 0; specs--) {
      new Place(root, List.of(texts())).set(spec);
    }
    for (int unmatched = in.readByte(); unmatched > 0; unmatched--) {
      IGetter place = new Place(root, List.of(texts()));
      spec.addUnmatchedArgsBinding(UnmatchedArgsBinding.forStringCollectionSupplier(place));
    }
    for (int options = in.readByte(); options > 0; options--) {
      spec.addOption(option());
    }
    for (int parameters = in.readByte(); parameters > 0; parameters--) {
      spec.addPositional(parameter());
    }
    return new CommandLine(spec);
  }

  private OptionSpec option() throws IOException, ReflectiveOperationException {
    String[] names = texts();
    boolean help = in.readBoolean();
    boolean negatable = in.readBoolean();
    Argument as = argument();
    OptionSpec.Builder option =
        OptionSpec.builder(names)
            .usageHelp(help)
            .negatable(negatable)
            .getter(as.place)
            .setter(as.place)
            .hasInitialValue(false)
            .type(as.type)
            .auxiliaryTypes(as.elements.toArray(Class<?>[]::new))
            .paramLabel(as.label)
            .hideParamSyntax(as.plain)
            .description(as.description.toArray(String[]::new))
            .splitRegex(as.split)
            .defaultValue(as.value)
            .required(as.required)
            .hidden(as.hidden)
            .scopeType(as.scope)
            .converters(as.converters.toArray(ITypeConverter<?>[]::new))
            .completionCandidates(as.candidates);
    if (!as.arity.isEmpty()) {
      option.arity(as.arity);
    }
    return option.build();
  }

  private PositionalParamSpec parameter() throws IOException, ReflectiveOperationException {
    String index = in.readUTF();
    Argument as = argument();
    PositionalParamSpec.Builder parameter =
        PositionalParamSpec.builder()
            .index(index)
            .getter(as.place)
            .setter(as.place)
            .hasInitialValue(false)
            .type(as.type)
            .auxiliaryTypes(as.elements.toArray(Class<?>[]::new))
            .paramLabel(as.label)
            .hideParamSyntax(as.plain)
            .description(as.description.toArray(String[]::new))
            .splitRegex(as.split)
            .defaultValue(as.value)
            .required(as.required)
            .hidden(as.hidden)
            .scopeType(as.scope)
            .converters(as.converters.toArray(ITypeConverter<?>[]::new))
            .completionCandidates(as.candidates);
    if (!as.arity.isEmpty()) {
      parameter.arity(as.arity);
    }
    return parameter.build();
  }

  /** The common part of options and parameters, whose builders have no common type. */
  private record Argument(
      Place place,
      Class<?> type,
      List<Class<?>> elements,
      String arity,
      String label,
      boolean plain,
      List<String> description,
      String split,
      @Nullable String value,
      boolean required,
      boolean hidden,
      ScopeType scope,
      List<ITypeConverter<?>> converters,
      @Nullable Iterable<String> candidates) {}

  @SuppressWarnings("unchecked") // the annotation asks for a class of texts
  private Argument argument() throws IOException, ReflectiveOperationException {
    Place place = new Place(root, List.of(texts()));
    Class<?> type = type(in.readUTF());
    String element = in.readUTF();
    String arity = in.readUTF();
    String label = in.readUTF();
    boolean plain = in.readBoolean();
    List<String> description = List.of(texts());
    String split = in.readUTF();
    String value = in.readUTF();
    return new Argument(
        place,
        type,
        element.isEmpty() ? List.of() : List.of(type(element)),
        arity,
        label,
        plain,
        description,
        split,
        value.isEmpty() ? null : value,
        in.readBoolean(),
        in.readBoolean(),
        in.readBoolean() ? ScopeType.INHERIT : ScopeType.LOCAL,
        made(in.readUTF()) instanceof ITypeConverter<?> converter ? List.of(converter) : List.of(),
        (Iterable<String>) made(in.readUTF()));
  }

  private String[] texts() throws IOException {
    String[] texts = new String[in.readByte()];
    for (int i = 0; i < texts.length; i++) {
      texts[i] = in.readUTF();
    }
    return texts;
  }

  private static Class<?> type(String name) throws ClassNotFoundException {
    Class<?> primitive = PRIMITIVES.get(name);
    return primitive == null ? Class.forName(name) : primitive;
  }

  private static @Nullable Object made(String type) throws ReflectiveOperationException {
    if (type.isEmpty()) {
      return null;
    }
    Constructor<?> constructor = Class.forName(type).getDeclaredConstructor();
    constructor.setAccessible(true);
    return constructor.newInstance();
  }

  /**
   * The place of a value: a field of the command, of one of its mixins, or an argument of its
   * method. It is looked up when a value comes.
   *
   * @param path numbers of arguments, and fields, each as class and name
   */
  private record Place(Object root, List<String> path) implements IGetter, ISetter {

    @Override
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // as the parser calls it
    public <T> @Nullable T get() throws ReflectiveOperationException {
      return (T) value(path);
    }

    @Override
    @SuppressWarnings("unchecked") // the arguments of a method are objects
    public <T> @Nullable T set(@Nullable T now) throws ReflectiveOperationException {
      T before = get();
      Object owner = value(path.subList(0, path.size() - 1));
      if (owner instanceof List<?> arguments) {
        ((List<@Nullable Object>) arguments).set(Integer.parseInt(path.getLast()), now);
      } else {
        field(path.getLast()).set(owner, now);
      }
      return before;
    }

    private @Nullable Object value(List<String> steps) throws ReflectiveOperationException {
      Object value = root;
      for (String step : steps) {
        value =
            value instanceof List<?> arguments
                ? arguments.get(Integer.parseInt(step))
                : field(step).get(value);
      }
      return value;
    }

    private static Field field(String name) throws ReflectiveOperationException {
      int dot = name.lastIndexOf('.');
      Field field = Class.forName(name.substring(0, dot)).getDeclaredField(name.substring(dot + 1));
      field.setAccessible(true);
      return field;
    }
  }
}
