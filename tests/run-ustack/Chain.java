import java.io.File;
import java.lang.management.ManagementFactory;
import javax.management.ObjectName;

/* The same calls all the time, whose innermost one is sched_yield(2), until the file "over" exists. With an argument the
 * virtual machine writes its names of code now and then. */
class Chain {
	static void inner()
	{
		Thread.yield();
	}

	static void middle()
	{
		inner();
	}

	static void outer()
	{
		middle();
	}

	static void write() throws Exception
	{
		ManagementFactory.getPlatformMBeanServer().invoke(
			new ObjectName("com.sun.management:type=DiagnosticCommand"), "compilerPerfmap", null, null);
	}

	public static void main(String[] arguments) throws Exception
	{
		File over = new File("over");

		for (int n = 0; !over.exists(); n++) {
			if (arguments.length > 0 && n % 50 == 20)
				write();
			outer();
			Thread.sleep(20);
		}
	}
}
